#include "caddis/cookies/netscape_file.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace caddis::cookies {
namespace {

using namespace std::chrono_literals;
constexpr WallTime kNow{1'700'000'000s};

TEST(NetscapeFile, ReadsWhatOthersWrite) {
  const auto file = parse_netscape_file(
      "# Netscape HTTP Cookie File\r\n\r\n"
      ".example.org\tTRUE\t/\tFALSE\t0\ta\t1\r\n"
      "#HttpOnly_www.example.org\tFALSE\t/x\tTRUE\t1800000000.5\tb\tx=y\n"
      "www.example.org\tFALSE\t/\tFALSE\t-1\tempty\n"
      "localhost\tTRUE\t/\tFALSE\t0\tc\t1\n"
      "www.example.org\tFALSE\t/\tFALSE\t1600000000\told\t1",
      kNow);
  ASSERT_TRUE(file) << file.error().message;
  const std::vector<Cookie>& cookies = file->cookies;
  ASSERT_EQ(cookies.size(), 4u);
  EXPECT_EQ(file->expired, 1u);
  EXPECT_EQ(cookies[0].domain, "example.org");
  EXPECT_FALSE(cookies[0].host_only);
  EXPECT_FALSE(cookies[0].expires);
  EXPECT_TRUE(cookies[1].http_only);
  EXPECT_TRUE(cookies[1].host_only);
  EXPECT_TRUE(cookies[1].secure);
  EXPECT_EQ(cookies[1].path, "/x");
  EXPECT_EQ(cookies[1].value, "x=y");
  EXPECT_EQ(cookies[1].expires, WallTime(1'800'000'000s));
  EXPECT_EQ(cookies[2].value, "");
  EXPECT_TRUE(cookies[3].host_only);
  EXPECT_EQ(cookies[3].created, kNow);
}

TEST(NetscapeFile, NamesTheLineThatIsNoneAndShowsNoSecret) {
  for (const std::string_view line :
       {"a b c secret", "a.test\tTRUE\t/\tFALSE\t0\t\tsecret", "a.test\tTRUE\t/\tFALSE\tx\ta\tsecret",
        "a b\tTRUE\t/\tFALSE\t0\ta\tsecret", "a.test\tTRUE\t/\tFALSE\t0\ta\tsecret;x",
        "a.test\tTRUE\t/\tFALSE\t0\ta\x01\tsecret", "\tTRUE\t/\tFALSE\t0\ta\tsecret"}) {
    const auto cookies = parse_netscape_file("# one\n" + std::string(line) + "\n", kNow);
    ASSERT_FALSE(cookies) << line;
    EXPECT_TRUE(cookies.error().message.starts_with("line 2: ")) << cookies.error().message;
    EXPECT_FALSE(cookies.error().message.contains("secret"));
  }
}

TEST(NetscapeFile, WantsADomainAndNothingElse) {
  for (const std::string domain : {"\\./0/", "a.example/b", "..", ".", "u@a.example", "a.example:8080"})
    EXPECT_FALSE(parse_netscape_file(domain + "\tTRUE\t/\tFALSE\t0\tn\tv\n", kNow)) << domain;
}

TEST(NetscapeFile, ReadsWhatItHasWritten) {
  const std::string text =
      "# Netscape HTTP Cookie File\n"
      ".example.org\tTRUE\t/\tFALSE\t0\ta\t1\n"
      "#HttpOnly_www.example.org\tFALSE\t/x\tTRUE\t1800000000\tb\t\n";
  const auto cookies = parse_netscape_file(text, kNow);
  ASSERT_TRUE(cookies);
  EXPECT_EQ(netscape_file(cookies->cookies), text);
}

}  // namespace
}  // namespace caddis::cookies
