#include "caddis/repair/lost_captures.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/io/memory_files.h"

namespace caddis::repair {
namespace {

using ::testing::ElementsAre;

std::string line_of(int number, std::string_view more) {
  return fmt::format(
      "test,a)/{0} 20260101000000 {{\"url\": \"http://a.test/{0}\", \"length\": \"100\", \"offset\": \"{1}\", "
      "\"filename\": \"1.warc\"{2}}}\n",
      number, 100 * number, more);
}

// A GET in the place of a POST would be another capture.
TEST(LostCaptures, TellRequestsApart) {
  io::MemoryFiles disk;
  const std::string journal =
      line_of(0, "") + line_of(1, "") + line_of(2, R"(, "method": "POST", "requestBody": "q=x")") + line_of(3, "");
  ASSERT_TRUE(disk.write_atomically("/cdx", journal));
  store::ShortFile file;
  file.path = "/archive/1.warc";
  file.committed = 400;
  file.found = 150;
  const auto found = find_lost_captures(disk, {.parts = {{"/cdx", journal.size()}}}, {file});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_THAT(found->urls, ElementsAre("http://a.test/1", "http://a.test/3"));
  EXPECT_THAT(found->requests, ElementsAre("http://a.test/2"));
  EXPECT_EQ(found->whole.at("1.warc"), 100u);
}

}  // namespace
}  // namespace caddis::repair
