#include "caddis/crawl/feed_database.h"

#include <gmock/gmock.h>

#include "caddis/sql/testing.h"

namespace caddis::crawl {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class FeedDatabases : public sql::DatabaseTest {
 protected:
  Result<void> execute(std::string_view statement) {
    return database().ask([&](sql::Connection& c) { return c.execute(statement); });
  }
  std::vector<std::string> column(std::string_view statement) {
    std::vector<std::string> values;
    const auto done = database().ask([&](sql::Connection& c) -> Result<void> {
      return c.each(statement, sql::Values(), [&](const sql::Row& row) { values.push_back(row.text(0)); });
    });
    EXPECT_TRUE(done) << done.error().message;
    return values;
  }
};
CADDIS_ON_BOTH_DATABASES(FeedDatabases);

TEST_P(FeedDatabases, NameSites) {
  FeedDatabase feeds(address());
  const auto none = feeds.read();
  ASSERT_TRUE(none) << none.error().message;
  EXPECT_TRUE(none->plans.empty());
  for (const char* const statement :
       {"INSERT INTO feed_sites (name, min_wait) VALUES ('a', '1h30m')",
        "INSERT INTO feed_sites (name, active) VALUES ('b', 0)", "INSERT INTO feed_sites (name) VALUES ('empty')",
        "INSERT INTO feed_sites (name, min_wait) VALUES ('bad', 'soon')",
        "INSERT INTO feed_sites (name) VALUES ('worse')",
        "INSERT INTO feeds (site, uri, most_recently_seen) VALUES ('a', 'http://a.test', '2023-11-14T22:13:20Z')",
        "INSERT INTO feeds (site, uri) VALUES ('b', 'http://b.test/rss')",
        "INSERT INTO feeds (site, uri) VALUES ('worse', 'mailto:x')",
        "INSERT INTO feeds (site, uri) VALUES ('nobody', 'http://c.test/rss')",
        "INSERT INTO implied_pages (site, feed, uri) VALUES ('a', 'http://a.test', 'http://a.test/front')"})
    ASSERT_TRUE(execute(statement)) << statement;
  const auto named = feeds.read();
  ASSERT_TRUE(named) << named.error().message;
  ASSERT_EQ(named->plans.size(), 2u);
  EXPECT_EQ(to_line(named->plans[0]), "a: every 1h30m feed http://a.test/ implies http://a.test/front");
  EXPECT_EQ(to_line(named->plans[1]), "b: paused feed http://b.test/rss");
  EXPECT_EQ(named->newest.at("a").at("http://a.test/"), 1'700'000'000);
  ASSERT_EQ(named->wrong.size(), 2u);
  EXPECT_THAT(named->wrong[0], HasSubstr("'soon'"));
  EXPECT_THAT(named->wrong[1], HasSubstr("mailto:x"));
}

TEST_P(FeedDatabases, AreWrittenBackTo) {
  FeedDatabase feeds(address());
  ASSERT_TRUE(feeds.read());
  ASSERT_TRUE(execute("INSERT INTO feed_sites (name) VALUES ('a')"));
  ASSERT_TRUE(execute("INSERT INTO feeds (site, uri) VALUES ('a', 'http://a.test')"));
  constexpr WallTime kNow = WallTime(1'700'000'000s);
  feeds::FeedSite site(*feeds::parse_site_plan("a: feed http://a.test/"));
  site.begin_round(kNow);
  feeds::Feed feed;
  feed.items.push_back({.link = "http://a.test/1", .id = "1", .published = kNow, .updated = {}});
  site.feed_read(
      "http://a.test/", feed,
      {.url = {}, .date = {}, .record_id = {}, .etag = {}, .last_modified = {}, .digest = "sha1:X", .mime = {}}, kNow,
      {});
  const auto written = feeds.write({FeedSiteFigures::of(site)});
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_THAT(column("SELECT state FROM feed_sites"), ElementsAre("crawling"));
  EXPECT_THAT(column("SELECT last_feed_update FROM feed_sites"), ElementsAre("2023-11-14T22:13:20Z"));
  EXPECT_THAT(column("SELECT most_recently_seen FROM feeds"), ElementsAre("2023-11-14T22:13:20Z"));
  EXPECT_THAT(column("SELECT last_digest FROM feeds"), ElementsAre("sha1:X"));
  EXPECT_THAT(column("SELECT items FROM feeds"), ElementsAre("1"));
}

}  // namespace
}  // namespace caddis::crawl
