#include "caddis/archive/mirror_path.h"

#include <gtest/gtest.h>

#include <string>

namespace caddis::archive {
namespace {

std::string place(const std::string& url) { return mirror_path(*url::Url::parse(url)); }

TEST(MirrorPath, FollowsTheUrl) {
  EXPECT_EQ(place("http://example.org/"), "example.org/index.html");
  EXPECT_EQ(place("http://example.org:8080/a/b"), "example.org_8080/a/b");
  EXPECT_EQ(place("http://example.org/a/?x=1&y=/2"), "example.org/a/index.html@x=1&y=_2");
  EXPECT_EQ(place("http://example.org//a//b"), "example.org/_/a/_/b");
  EXPECT_EQ(place("file:///srv/site/a.html"), "file_/srv/site/a.html");
  EXPECT_TRUE(place("file:///" + std::string(3000, 'a') + "/b").starts_with("file_/"));
}

// None leads out of the folder, and file systems take all of them.
TEST(MirrorPath, IsOneThatFileSystemsTake) {
  EXPECT_EQ(place("http://example.org/a/%2e%2e/%2e%2e/x"), "example.org/x");
  EXPECT_EQ(place("http://example.org/a\\..\\..\\x"), "example.org/x");
  EXPECT_EQ(place("http://example.org/q?.."), "example.org/q@_..");
  EXPECT_EQ(place("http://example.org/a:b*c|d"), "example.org/a_b_c_d");
  EXPECT_EQ(place("http://[::1]/x"), "[__1]/x");
}

TEST(MirrorPath, LongOnesAreCutAndStayDifferent) {
  const std::string longest(300, 'x');
  const std::string one = place("http://example.org/" + longest + "1"),
                    other = place("http://example.org/" + longest + "2");
  EXPECT_NE(one, other);
  EXPECT_EQ(one.size(), std::string("example.org/").size() + 180);
  std::string deep = "http://example.org";
  for (int i = 0; i < 400; ++i) deep += "/part";
  EXPECT_EQ(place(deep).substr(0, 23), "example.org/long-paths/");
  EXPECT_NE(place(deep), place(deep + "/"));
}

}  // namespace
}  // namespace caddis::archive
