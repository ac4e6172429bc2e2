#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "caddis/sql/database.h"
#include "caddis/sql/migrations.h"
#include "caddis/sql/testing.h"

namespace caddis::sql {
namespace {

class Sql : public DatabaseTest {
 protected:
  void make_table() {
    const auto made = database().transact(
        [](Connection& c) { return c.execute("CREATE TABLE things (name TEXT PRIMARY KEY, size BIGINT, note TEXT)"); });
    ASSERT_TRUE(made) << made.error().message;
  }
  int64_t count() {
    return database().read([](Connection& c) { return c.number("SELECT count(*) FROM things"); }).value();
  }
};
CADDIS_ON_BOTH_DATABASES(Sql);

TEST_P(Sql, GivesBackWhatItWasGiven) {
  make_table();
  const std::string strange = "a'b\"c?:d%s \xC3\xA6 \n;";
  const auto written = database().transact([&](Connection& c) {
    return c.execute("INSERT INTO things (name, size, note) VALUES (?, ?, ?)",
                     Values(strange, int64_t{9'000'000'000'000'000'000}, std::optional<std::string>()));
  });
  ASSERT_TRUE(written) << written.error().message;
  const auto row = database()
                       .read([&](Connection& c) {
                         return c.row("SELECT name, size, note, 'what?' FROM things WHERE name = ?", Values(strange));
                       })
                       .value();
  ASSERT_TRUE(row);
  EXPECT_EQ(row->text(0), strange);
  EXPECT_EQ(row->number(1), 9'000'000'000'000'000'000);
  EXPECT_TRUE(row->is_null(2));
  EXPECT_EQ(row->text(3), "what?");
}

TEST_P(Sql, TellsHowManyRowsHaveChanged) {
  make_table();
  std::vector<Values> rows;
  for (int i = 0; i < 5000; ++i) rows.emplace_back("n" + std::to_string(i), i, "");
  ASSERT_TRUE(database().transact(
      [&](Connection& c) { return c.insert_all("INSERT INTO things (name, size, note) VALUES", rows); }));
  EXPECT_EQ(count(), 5000);
  rows.emplace_back("another", 1, "");
  const auto added = database().write([&](Connection& c) {
    return c.insert_new("INSERT INTO things (name, size, note) VALUES", rows, "ON CONFLICT (name) DO NOTHING");
  });
  EXPECT_EQ(added.value(), 1u);
  const auto changed =
      database().write([](Connection& c) { return c.run("UPDATE things SET note = 'x' WHERE size < ?", Values(10)); });
  EXPECT_EQ(changed.value(), 11u);
}

TEST_P(Sql, TakesBackATransactionThatFails) {
  make_table();
  const auto done = database().transact([](Connection& c) -> Result<void> {
    TRY_VOID(c.execute("INSERT INTO things (name) VALUES ('a')"));
    return fail(ErrorCode::config, "no");
  });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::config);
  EXPECT_EQ(count(), 0);
}

TEST_P(Sql, TellsWhatIsThereAlready) {
  make_table();
  const auto insert = [](Connection& c) { return c.execute("INSERT INTO things (name) VALUES ('a')"); };
  ASSERT_TRUE(database().transact(insert));
  const auto again = database().transact(insert);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::conflict);
  EXPECT_FALSE(again.error().message.contains("INSERT")) << again.error().message;
}

// Every one of many transactions that read and then write has its effect, though they meet.
TEST_P(Sql, LosesNothingIfTransactionsMeet) {
  make_table();
  ASSERT_TRUE(database().transact([](Connection& c) { return c.execute("INSERT INTO things VALUES ('sum', 0, '')"); }));
  std::vector<std::thread> threads;
  std::atomic<int> failed = 0;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int j = 0; j < 10; ++j)
        if (!database().transact([](Connection& c) -> Result<void> {
              TRY(const int64_t sum, c.number("SELECT size FROM things WHERE name = 'sum'"));
              return c.execute("UPDATE things SET size = ? WHERE name = 'sum'", Values(sum + 1));
            }))
          ++failed;
    });
  for (std::thread& thread : threads) thread.join();
  const int64_t sum =
      database().read([](Connection& c) { return c.number("SELECT size FROM things WHERE name = 'sum'"); }).value();
  EXPECT_EQ(sum, 40 - failed);
  EXPECT_LT(failed, 5);
}

TEST_P(Sql, MigratesStepByStepAndOnce) {
  ManualClock clock;
  const Migration first[] = {
      {1, "one", "CREATE TABLE one (id {id}, name TEXT);\nINSERT INTO one (name) VALUES ('x');\n"}};
  const Migration both[] = {first[0], {2, "two", "ALTER TABLE one ADD COLUMN size BIGINT;\n"}};
  EXPECT_EQ(migrate(database(), first, clock).value(), 1);
  EXPECT_EQ(migrate(database(), first, clock).value(), 1);
  EXPECT_EQ(migrate(database(), both, clock).value(), 2);
  const int64_t rows =
      database().read([](Connection& c) { return c.number("SELECT count(size) + count(*) FROM one"); }).value();
  EXPECT_EQ(rows, 1);
  const auto older = migrate(database(), first, clock);
  ASSERT_FALSE(older);
  EXPECT_EQ(older.error().code, ErrorCode::unsupported);
}

TEST_P(Sql, TakesBackAStepThatFails) {
  ManualClock clock;
  const Migration bad[] = {{1, "bad", "CREATE TABLE one (id {id});\nINSERT INTO nowhere VALUES (1);\n"}};
  EXPECT_FALSE(migrate(database(), bad, clock));
  EXPECT_FALSE(database().read([](Connection& c) { return c.number("SELECT count(*) FROM one"); }));
}

TEST_P(Sql, IsCopiedWhileItIsUsed) {
  make_table();
  ASSERT_TRUE(database().transact([](Connection& c) { return c.execute("INSERT INTO things (name) VALUES ('a')"); }));
  const auto copied = database().copy_to(folder() / "copy.db");
  if (GetParam() == Dialect::postgresql) {
    EXPECT_EQ(copied.error().code, ErrorCode::unsupported);
    return;
  }
  ASSERT_TRUE(copied) << copied.error().message;
  const auto copy = Database::open("sqlite:" + (folder() / "copy.db")).value();
  EXPECT_EQ(copy->read([](Connection& c) { return c.number("SELECT count(*) FROM things"); }).value(), 1);
}

TEST(SqlAddress, IsOneOfTwoKinds) {
  EXPECT_EQ(parse_address("sqlite:a/b.db").value().place, "a/b.db");
  EXPECT_EQ(parse_address("postgresql://x/y").value().dialect, Dialect::postgresql);
  EXPECT_FALSE(parse_address("mysql://x"));
  EXPECT_FALSE(parse_address("sqlite:"));
  EXPECT_FALSE(Database::open("postgresql:///x?host=/nowhere"));
}

TEST(SqlAddress, SaysHowLongAServerMayBeSilent) {
  const auto place = [](const char* address) { return parse_address(address).value().place; };
  constexpr std::string_view kAll = "connect_timeout=10&tcp_user_timeout=30000&keepalives_idle=30";
  EXPECT_EQ(place("postgresql://x/y"), fmt::format("postgresql://x/y?{}", kAll));
  EXPECT_EQ(place("postgres://u:a?b@x/y"), fmt::format("postgres://u:a?b@x/y?{}", kAll));
  EXPECT_EQ(place("postgresql:///y?host=/run"), fmt::format("postgresql:///y?host=/run&{}", kAll));
  EXPECT_EQ(place("postgresql://x/y?connect_timeout=3&tcp_user_timeout=4"),
            "postgresql://x/y?connect_timeout=3&tcp_user_timeout=4&keepalives_idle=30");
}

// One that takes connections, and answers nothing.
TEST(SqlAddress, OfAServerThatIsSilentIsGivenUp) {
  const int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_GE(server, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(::bind(server, reinterpret_cast<const sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(server, 1), 0);
  ASSERT_EQ(::getsockname(server, reinterpret_cast<sockaddr*>(&address), &size), 0);
  const auto opened =
      Database::open(fmt::format("postgresql://u@127.0.0.1:{}/x?connect_timeout=2", ntohs(address.sin_port)));
  ASSERT_FALSE(opened);
  EXPECT_TRUE(opened.error().message.contains("timeout")) << opened.error().message;
  ::close(server);
}

}  // namespace
}  // namespace caddis::sql
