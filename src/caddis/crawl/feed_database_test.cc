#include "caddis/crawl/feed_database.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <utility>

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
  const uint64_t answered = feeds.answered();
  const auto written = feeds.write({FeedSiteFigures::of(site)});
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(feeds.answered() - answered, 3u);
  EXPECT_THAT(column("SELECT state FROM feed_sites"), ElementsAre("crawling"));
  EXPECT_THAT(column("SELECT last_feed_update FROM feed_sites"), ElementsAre("2023-11-14T22:13:20Z"));
  EXPECT_THAT(column("SELECT most_recently_seen FROM feeds"), ElementsAre("2023-11-14T22:13:20Z"));
  EXPECT_THAT(column("SELECT last_digest FROM feeds"), ElementsAre("sha1:X"));
  EXPECT_THAT(column("SELECT items FROM feeds"), ElementsAre("1"));
}

TEST_P(FeedDatabases, LockedTableIsGivenUp) {
  if (GetParam() == sql::Dialect::sqlite) GTEST_SKIP() << "it is read beside a writer";
  FeedDatabase feeds(address(), 200ms);
  ASSERT_TRUE(feeds.read());
  const auto held = database().transact([&](sql::Connection& c) -> Result<void> {
    TRY_VOID(c.execute("LOCK TABLE feed_sites IN ACCESS EXCLUSIVE MODE"));
    const auto read = feeds.read();
    EXPECT_FALSE(read);
    if (!read) EXPECT_THAT(read.error().message, HasSubstr("statement timeout"));
    EXPECT_FALSE(feeds.write({FeedSiteFigures{}}));
    return {};
  });
  ASSERT_TRUE(held) << held.error().message;
  EXPECT_TRUE(feeds.read());
}

TEST_P(FeedDatabases, QuestionIsInterruptedAndTheNextOneAnswered) {
  if (GetParam() == sql::Dialect::sqlite) GTEST_SKIP() << "it is no server";
  FeedDatabase feeds(address(), 1h);
  ASSERT_TRUE(feeds.read());
  const auto waiting = [&] {
    const auto count = database().read([](sql::Connection& c) {
      return c.number(
          "SELECT count(*) FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database "
          "WHERE datname = current_database())");
    });
    EXPECT_TRUE(count) << count.error().message;
    return count.value_or(1) > 0;
  };
  const auto held = database().transact([&](sql::Connection& c) -> Result<void> {
    TRY_VOID(c.execute("LOCK TABLE feed_sites IN ACCESS EXCLUSIVE MODE"));
    Result<NamedFeedSites> read;
    std::thread reader([&] { read = feeds.read(); });
    while (!waiting()) std::this_thread::yield();
    feeds.interrupt();
    reader.join();
    EXPECT_FALSE(read);
    return {};
  });
  ASSERT_TRUE(held) << held.error().message;
  EXPECT_TRUE(feeds.read());
}

// A server that lets everybody in, and answers no question: its process has been stopped, say.
class HangingServer {
 public:
  HangingServer() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(socket_, reinterpret_cast<const sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(socket_, 1), 0);
    EXPECT_EQ(::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
  }
  ~HangingServer() { ::close(socket_); }

  std::string address() const { return fmt::format("postgresql://u@127.0.0.1:{}/x?sslmode=disable", port_); }
  // Returns when a question has come, or the client has gone.
  void let_in_and_be_silent() {
    connection_ = ::accept(socket_, nullptr, nullptr);
    char buffer[4096];
    EXPECT_GT(::read(connection_, buffer, sizeof buffer), 0);  // who it is
    // AuthenticationOk, ReadyForQuery.
    constexpr std::string_view kWelcome("R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I", 15);
    EXPECT_EQ(::write(connection_, kWelcome.data(), kWelcome.size()), static_cast<ssize_t>(kWelcome.size()));
    EXPECT_GT(::read(connection_, buffer, sizeof buffer), 0);
  }
  void close_connection() { ::close(connection_); }

 private:
  int socket_, connection_ = -1;
  uint16_t port_ = 0;
};

TEST(FeedDatabaseThatHangs, IsGivenUpWhileItConnects) {
  HangingServer server;
  FeedDatabase feeds(server.address() + "&connect_timeout=2");
  const auto read = feeds.read();
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("timeout"));
  feeds.interrupt();  // nobody waits
}

TEST(FeedDatabaseThatHangs, IsGivenUpIfItLetsInAndAnswersNothing) {
  HangingServer server;
  std::thread lets_in([&] { server.let_in_and_be_silent(); });
  FeedDatabase feeds(server.address() + "&connect_timeout=1");
  const auto read = feeds.read();
  lets_in.join();
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("has not answered for 1 s"));
  server.close_connection();
}

}  // namespace
}  // namespace caddis::crawl
