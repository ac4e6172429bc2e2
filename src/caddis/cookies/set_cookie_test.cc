#include "caddis/cookies/set_cookie.h"

#include <gtest/gtest.h>

#include <chrono>

#include "caddis/base/time_format.h"

namespace caddis::cookies {
namespace {

std::string date(std::string_view text) {
  const auto parsed = parse_cookie_date(text);
  return parsed ? rfc3339(*parsed) : "none";
}

TEST(SetCookie, TakesNameAndValueAsTheyAre) {
  const auto cookie = parse_set_cookie("  id =  \"a b\"=c  ; Secure");
  ASSERT_TRUE(cookie);
  EXPECT_EQ(cookie->name, "id");
  EXPECT_EQ(cookie->value, "\"a b\"=c");
  EXPECT_TRUE(cookie->secure);
  EXPECT_FALSE(cookie->http_only);
  EXPECT_EQ(parse_set_cookie("empty=")->value, "");
}

TEST(SetCookie, RefusesWhatHasNoNameOrControls) {
  for (const std::string_view field :
       {"", "no-equals", "a=b; Path=/x\ty", "=value", " = v", "a", "a\x01=b", "a=b\x7f", "a=b; Path=/\x02"})
    EXPECT_FALSE(parse_set_cookie(field)) << field;
  EXPECT_FALSE(parse_set_cookie("a=b\tc"));
}

TEST(SetCookie, ReadsAttributesInAnyCase) {
  const auto cookie =
      parse_set_cookie("a=1;DOMAIN=.Example.ORG; path=/x ;HttpOnly;samesite=LAX; Max-Age=60; Expires=nonsense; Other");
  ASSERT_TRUE(cookie);
  EXPECT_EQ(cookie->domain, "example.org");
  EXPECT_EQ(cookie->path, "/x");
  EXPECT_TRUE(cookie->http_only);
  EXPECT_EQ(cookie->same_site, SameSite::lax);
  EXPECT_EQ(cookie->max_age, 60);
  EXPECT_FALSE(cookie->expires);
}

TEST(SetCookie, TheLastAttributeCounts) {
  const auto cookie = parse_set_cookie("a=1; Path=/x; Path=y; Domain=a.test; Domain=b.test; Domain");
  EXPECT_EQ(cookie->path, "");
  EXPECT_EQ(cookie->domain, "");
}

TEST(SetCookie, WritesDomainsAsHostsOfUrls) {
  EXPECT_EQ(parse_set_cookie("a=1; Domain=B\xC3\xBC"
                             "cher.example")
                ->domain,
            "xn--bcher-kva.example");
}

TEST(SetCookie, ReadsMaxAge) {
  EXPECT_EQ(parse_set_cookie("a=1; Max-Age=0")->max_age, 0);
  EXPECT_EQ(parse_set_cookie("a=1; Max-Age=-5")->max_age, 0);
  EXPECT_GT(parse_set_cookie("a=1; Max-Age=99999999999999999999999")->max_age, 1'000'000'000);
  for (const std::string_view none : {"a=1; Max-Age=", "a=1; Max-Age=1x", "a=1; Max-Age=-", "a=1; Max-Age=+1"})
    EXPECT_FALSE(parse_set_cookie(none)->max_age) << none;
}

TEST(SetCookie, ReadsDatesAsBrowsersDo) {
  for (const std::string_view same :
       {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "6 Nov 94 8:49:37", "08:49:37 1994 november 6th", "06-nov-1994 08:49:37 +0200"})
    EXPECT_EQ(date(same), "1994-11-06T08:49:37Z") << same;
  EXPECT_EQ(date("Thu, 01-Jan-1970 00:00:00 GMT"), "1970-01-01T00:00:00Z");
  EXPECT_EQ(date("1 jan 69 1:2:3"), "2069-01-01T01:02:03Z");
  EXPECT_EQ(date("29 Feb 2028 00:00:00"), "2028-02-29T00:00:00Z");
  for (const std::string_view none :
       {"", "1 jan 2020", "jan 2020 10:00:00", "30 feb 2020 10:00:00", "1 jan 2020 24:00:00", "1 jan 1600 10:00:00",
        "1 jan 2020 1:2", "111 jan 2020 1:2:3"})
    EXPECT_EQ(date(none), "none") << none;
}

TEST(SetCookie, KnowsTheDefaultPath) {
  EXPECT_EQ(default_path("/a/b/c"), "/a/b");
  EXPECT_EQ(default_path("/a/b/"), "/a/b");
  EXPECT_EQ(default_path("/a"), "/");
  EXPECT_EQ(default_path("/"), "/");
  EXPECT_EQ(default_path(""), "/");
  EXPECT_EQ(default_path("a/b"), "/");
}

}  // namespace
}  // namespace caddis::cookies
