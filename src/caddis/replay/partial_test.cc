#include "caddis/replay/partial.h"

#include <gtest/gtest.h>

#include "caddis/replay/wayback_fixture.h"

namespace caddis::replay {
namespace {

TEST(ContentRange, Forms) {
  const auto part = parse_content_range("bytes 100-199/500");
  ASSERT_TRUE(part);
  EXPECT_EQ(part->first, 100U);
  EXPECT_EQ(part->last, 199U);
  EXPECT_FALSE(part->is_whole());
  EXPECT_TRUE(parse_content_range("BYTES 0-9/10")->is_whole());
  for (const std::string_view broken :
       {"", "bytes */10", "bytes 0-9/*", "bytes 9-0/10", "bytes 0-10/10", "bytes -1-3/10", "x 0-1/2"})
    EXPECT_FALSE(parse_content_range(broken)) << broken;
}

using PartialTest = WaybackTest;

TEST_F(PartialTest, TheCaptureIsTakenThatHasTheWantedPart) {
  const auto part = [&](std::string_view time, std::string_view range, std::string_view body) {
    maker.response("http://h.org/v.mp4", time,
                   "HTTP/1.1 206 Partial Content\r\nContent-Type: video/mp4\r\nContent-Range: bytes " +
                       std::string(range) + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
                       std::string(body));
  };
  part("20260101000000", "0-4/15", "01234");
  part("20260101000001", "5-9/15", "56789");
  part("20260101000002", "10-14/15", "abcde");
  open();
  const auto ask_for = [&](const std::string& range) {
    return get("/c/20260101000000oe_/http://h.org/v.mp4", {{"Range", range}, {"Sec-Fetch-Dest", "video"}});
  };
  const auto second = ask_for("bytes=6-");
  EXPECT_EQ(second.status, 206);
  EXPECT_EQ(second.body, "6789");
  EXPECT_EQ(header(second, "content-range"), "bytes 6-9/15");
  EXPECT_EQ(ask_for("bytes=10-11").body, "ab");
  EXPECT_EQ(ask_for("bytes=-2").body, "de");
  EXPECT_EQ(ask_for("bytes=2-3").body, "23");
  EXPECT_EQ(header(ask_for("bytes=2-3"), "content-range"), "bytes 2-3/15");
}

}  // namespace
}  // namespace caddis::replay
