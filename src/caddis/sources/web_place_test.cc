#include "caddis/sources/web_place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/io/memory_files.h"
#include "caddis/sources/archive_testing.h"

namespace caddis::sources {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class WebPlaceTest : public ::testing::Test {
 protected:
  WebPlaceTest() {
    options.name = "far";
    options.timeout = std::chrono::seconds(60);
  }
  static std::string part() { return answer(206, "abc", "Content-Range: bytes 0-2/9\r\n"); }

  io::MemoryFiles files;
  std::shared_ptr<remote::WebClient> client = std::make_shared<remote::WebClient>(system_clock(), files, "spool");
  WebPlaceOptions options;
};

TEST_F(WebPlaceTest, ReadsCredentialsAgainThatAreRefused) {
  Archive archive({answer(403, "no"), part(), answer(403, "no")});
  options.region = "eu-1";
  options.credentials = {"OLD", "secret", ""};
  int reads = 0;
  options.read_credentials = [&]() -> Result<remote::S3Credentials> {
    ++reads;
    return remote::S3Credentials{"NEW", "secret", ""};
  };
  WebPlace place(client, options);
  const auto read = place.read(archive.address() + "/bucket/a", 0, 3);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->bytes, "abc");
  EXPECT_THAT(archive.requests(), ElementsAre(HasSubstr("Credential=OLD/"), HasSubstr("Credential=NEW/")));
  // If the file still has those that are refused, nobody asks again.
  EXPECT_EQ(place.read(archive.address() + "/bucket/a", 0, 3).error().code, ErrorCode::denied);
  EXPECT_THAT(archive.requests(), SizeIs(3));
  EXPECT_EQ(reads, 2);
}

TEST_F(WebPlaceTest, FollowsRedirectsToAnEnd) {
  const std::string there = answer(302, "", "Location: /there\r\n");
  Archive archive({there, part(), there});
  WebPlace place(client, options);
  EXPECT_TRUE(place.read(archive.address() + "/a", 0, 3));
  EXPECT_THAT(archive.requests(), ElementsAre(HasSubstr("GET /a "), HasSubstr("GET /there ")));
  EXPECT_EQ(place.read(archive.address() + "/a", 0, 3).error().code, ErrorCode::io);
  EXPECT_THAT(archive.requests(), SizeIs(2 + 5));
}

}  // namespace
}  // namespace caddis::sources
