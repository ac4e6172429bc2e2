#include "caddis/robots/page_directives.h"

#include <gtest/gtest.h>

#include "caddis/base/time_format.h"

namespace caddis::robots {
namespace {

std::string until(std::string_view content) {
  const PageDirectives found = parse_directives(content);
  return found.unavailable_after ? rfc3339(*found.unavailable_after) : "";
}

TEST(PageDirectives, WordsOfAMetaElement) {
  EXPECT_EQ(parse_directives("NoIndex, nofollow").text(), "noindex+nofollow");
  EXPECT_EQ(parse_directives("none").text(), "noindex+nofollow");
  EXPECT_EQ(parse_directives(" noarchive ,NOSNIPPET,max-snippet:20").text(), "noarchive+nosnippet");
  EXPECT_EQ(parse_directives("nocache").text(), "noarchive");
  EXPECT_TRUE(parse_directives("index, follow, all, noimageindex").empty());
  EXPECT_TRUE(parse_directives("").empty());
  // A meta element has its robot in its name.
  EXPECT_TRUE(parse_directives("caddis: noindex").empty());
}

TEST(PageDirectives, DatesInTheirForms) {
  EXPECT_EQ(until("unavailable_after: 25 Jun 2010 15:00:00 PST"), "2010-06-25T23:00:00Z");
  EXPECT_EQ(until("unavailable_after: 25-Jun-2010 15:00:00 EST, noindex"), "2010-06-25T20:00:00Z");
  EXPECT_EQ(until("unavailable_after: Friday, 25-Jun-10 15:00:00 GMT"), "2010-06-25T15:00:00Z");
  EXPECT_EQ(until("unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT"), "2010-06-25T15:00:00Z");
  EXPECT_EQ(until("unavailable_after:2010-06-25T15:00:00+02:00"), "2010-06-25T13:00:00Z");
  EXPECT_EQ(until("unavailable_after: 2010-06-25"), "2010-06-25T00:00:00Z");
  EXPECT_EQ(until("unavailable_after: 5 Jun 2010"), "2010-06-05T00:00:00Z");
  EXPECT_EQ(until("unavailable_after: soon"), "");
  EXPECT_EQ(until("unavailable_after:"), "");
  EXPECT_EQ(until("unavailable_after"), "");
  // The earliest of several counts, and what follows a date with a comma is read.
  EXPECT_EQ(parse_directives("unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, noarchive").text(),
            "noarchive+unavailable_after");
  EXPECT_EQ(until("unavailable_after: 2011-01-01, unavailable_after: 2010-01-01"), "2010-01-01T00:00:00Z");
}

TEST(PageDirectives, TagsWithAndWithoutAName) {
  const auto said = [](std::string_view value) { return parse_robots_tag(value, "mybot").text(); };
  EXPECT_EQ(said("noindex"), "noindex");
  EXPECT_EQ(said("otherbot: noindex, nofollow"), "");
  EXPECT_EQ(said("MyBot: noindex, nofollow"), "noindex+nofollow");
  EXPECT_EQ(said("caddis: noarchive"), "noarchive");
  EXPECT_EQ(said("robots: nosnippet"), "nosnippet");
  EXPECT_EQ(said("noarchive, otherbot: noindex, nofollow, mybot: nosnippet"), "noarchive+nosnippet");
  EXPECT_EQ(said("otherbot: unavailable_after: 2010-01-01"), "");
  EXPECT_EQ(said("mybot: unavailable_after: 25 Jun 2010 15:00:00 PST"), "unavailable_after");
  EXPECT_EQ(said("unavailable_after: 25 Jun 2010 15:00:00 PST, noindex"), "noindex+unavailable_after");
  EXPECT_EQ(said("max-image-preview: large, noindex"), "noindex");
  EXPECT_EQ(parse_robots_tag(": noindex", "").text(), "");
}

TEST(PageDirectives, AllPlacesCount) {
  PageDirectives all = parse_directives("noindex, unavailable_after: 2011-01-01");
  all.add(parse_directives("noarchive, unavailable_after: 2010-01-01"));
  EXPECT_EQ(all.text(), "noindex+noarchive+unavailable_after");
  EXPECT_EQ(rfc3339(*all.unavailable_after), "2010-01-01T00:00:00Z");
}

TEST(PageDirectives, AreDoneByThePolicy) {
  const WallTime day = *parse_w3c_date("2026-01-01"), second(std::chrono::seconds(1));
  const auto said = [](std::string_view content) { return parse_directives(content); };
  const PagePolicy none, noindex{.noindex = WhenSaid::leave_out}, noarchive{.noarchive = WhenSaid::leave_out},
      expired{.unavailable_after = WhenSaid::leave_out};
  EXPECT_FALSE(leaves_out(none, said("none, noarchive, unavailable_after: 2000-01-01"), day));
  EXPECT_TRUE(leaves_out(noindex, said("none"), day));
  EXPECT_FALSE(leaves_out(noindex, said("nofollow, noarchive"), day));
  EXPECT_TRUE(leaves_out(noarchive, said("noarchive"), day));
  EXPECT_FALSE(leaves_out(noarchive, said("noindex, nosnippet"), day));
  EXPECT_TRUE(leaves_out(expired, said("unavailable_after: 2026-01-01"), day));
  EXPECT_FALSE(leaves_out(expired, said("unavailable_after: 2026-01-01"), day - second.time_since_epoch()));
  EXPECT_FALSE(leaves_out(expired, said("noindex"), day));
}

}  // namespace
}  // namespace caddis::robots
