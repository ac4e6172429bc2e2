// What hosts owe to a bandwidth for each of them, when that changes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "caddis/frontier/frontier_fixture.h"

namespace caddis::frontier {
namespace {

// A host pays a kilobyte a second, and waits a quarter of an hour and more for a megabyte.
class DebtsTest : public FrontierTest {
 protected:
  static constexpr uint64_t kMegabyte = 1'000'000;

  DebtsTest() {
    options_.obey_robots = false;
    options_.politeness.host_bandwidth = 1000;
    reopen();
  }
  void add_pages(const std::string& host, int pages = 2) {
    for (int page = 0; page < pages; ++page) add({scheduled(fmt::format("http://{}/{}", host, page), "L")});
  }
  // The next visit is to that host.
  void visit(const std::string& host, uint64_t bytes, std::optional<Duration> retry_after = std::nullopt) {
    for (auto lease = next_whenever();; lease = next_whenever()) {
      ASSERT_TRUE(lease);
      ASSERT_EQ(lease->host, host);
      if (lease->kind == LeaseKind::url) return finish(*lease, bytes, retry_after);
      settle(*lease);
    }
  }
  void finish(const Lease& lease, uint64_t bytes, std::optional<Duration> retry_after = std::nullopt) {
    Disposition done;
    done.lease = lease;
    done.status = 200;
    done.fetch_time = 100ms;
    done.bytes = bytes;
    done.retry_after = retry_after;
    frontier_->finish(done);
  }
  void limit(int64_t bytes) {
    PolitenessSettings politeness = options_.politeness;
    politeness.host_bandwidth = bytes;
    frontier_->set_politeness(politeness);
  }
  void reopen_with(int64_t bytes) {
    commit();
    options_.politeness.host_bandwidth = bytes;
    reopen();
  }
  // Takes what is due of all hosts, once in a second, until the host is visited; how long that took.
  Duration wait_for(const std::string& host) {
    const SteadyTime before = clock_.steady();
    for (int second = 0; second < 10'000; ++second, clock_.advance(1s)) {
      while (auto lease = next()) {
        if (lease->kind == LeaseKind::url && lease->host == host) return clock_.steady() - before;
        lease->kind == LeaseKind::url ? finish(*lease, 0) : (void)settle(*lease);
        commit();
      }
      commit();
    }
    ADD_FAILURE() << host << " is never visited";
    return {};
  }
};

TEST_F(DebtsTest, TakeLessTimeUnderAHigherLimit) {
  add_pages("a.example");
  visit("a.example", kMegabyte);
  const auto wait = [&] {
    EXPECT_FALSE(next());
    return *frontier_->next_due() - clock_.steady();
  };
  limit(4000);
  EXPECT_EQ(wait(), Duration(250s));
  limit(500);
  limit(2000);
  EXPECT_EQ(wait(), Duration(250s)) << "no lower limit makes it longer";
  clock_.advance(50s);
  limit(8000);
  EXPECT_EQ(wait(), Duration(100s));
  limit(0);
  EXPECT_TRUE(next()) << "the delay is over";
}

TEST_F(DebtsTest, OfAHostThatComesFromDisk) {
  add_pages("a.example", 20);
  struct Case {
    int64_t limit;
    Duration least, most;
  };
  for (const auto& [limit, least, most] :
       {Case{1000, 900s, 1000s}, {2000, 400s, 500s}, {500, 900s, 1000s}, {8000, 60s, 130s}, {0, 3s, 35s}}) {
    SCOPED_TRACE(limit);
    reopen_with(1000);
    wait_for("a.example");
    reopen_with(1000);
    visit("a.example", kMegabyte);
    reopen_with(limit);
    const Duration waited = wait_for("a.example");
    EXPECT_GE(waited, least);
    EXPECT_LE(waited, most);
  }
}

// What else they wait for stays: of a Retry-After that is shorter than the debt nothing is known any more.
TEST_F(DebtsTest, AreNotAllThatIsWaitedFor) {
  options_.politeness.batch = 4;
  options_.politeness.delay = 20s;
  reopen_with(1000);
  add_pages("a.example", 20);
  for (int i = 0; i < 4; ++i) visit("a.example", kMegabyte / 10);
  reopen_with(0);
  EXPECT_GE(wait_for("a.example"), 80s);
  for (const uint64_t bytes : {kMegabyte / 10, kMegabyte}) {
    reopen_with(1000);
    visit("a.example", bytes, 10min);
    reopen_with(0);
    EXPECT_GE(wait_for("a.example"), 9min) << bytes;
  }
}

class DebtsOutOfMemory : public DebtsTest {
 protected:
  static constexpr int kHosts = 200;
  static std::string host(int number) { return fmt::format("h{}.example", number); }

  // All of them owe a megabyte, and are out of memory but for two.
  DebtsOutOfMemory() {
    options_.hosts_in_memory = 2;
    reopen();
    for (int i = 0; i < kHosts; ++i) add_pages(host(i));
    for (int owing = 0; owing < kHosts;) {
      commit();
      const auto lease = next_whenever();
      if (!lease) continue;
      if (lease->kind == LeaseKind::url) ++owing;
      lease->kind == LeaseKind::url ? finish(*lease, kMegabyte) : (void)settle(*lease);
    }
    commit();
    EXPECT_LE(frontier_->stats().hosts_in_memory, 70u);
  }
  // How long it takes until everything is visited.
  Duration run_dry() {
    const SteadyTime before = clock_.steady();
    for (int step = 0; !frontier_->is_empty() && step < 100'000; ++step) {
      if (auto lease = next())
        lease->kind == LeaseKind::url ? finish(*lease, 0) : (void)settle(*lease);
      else
        clock_.advance(1s);
      commit();
    }
    EXPECT_TRUE(frontier_->is_empty());
    return clock_.steady() - before;
  }
};

TEST_F(DebtsOutOfMemory, AreWaitedFor) { EXPECT_GT(run_dry(), 900s); }

TEST_F(DebtsOutOfMemory, AreForgivenWhileItRuns) {
  limit(0);
  EXPECT_LT(run_dry(), 120s);
}

TEST_F(DebtsOutOfMemory, TakeLessTimeUnderAHigherLimit) {
  limit(4000);
  const Duration took = run_dry();
  EXPECT_GT(took, 200s);
  EXPECT_LT(took, 400s);
}

// Also where the first process with the new limit has died while it looked for them.
TEST_F(DebtsOutOfMemory, AreForgivenAtAStart) {
  reopen_with(0);
  (void)next();
  commit();
  reopen();
  EXPECT_LT(run_dry(), 120s);
}

// The limit of a sheet is one host's, and may end with it.
TEST_F(DebtsTest, ToTheLimitOfASheet) {
  int64_t in_sheet = 1000;
  options_.politeness.host_bandwidth = 0;
  options_.rules_of = [&](const std::string& host) -> std::shared_ptr<const HostRules> {
    if (host != "a.example") return nullptr;
    HostRules rules{options_.politeness, {}, {}, {}, false, "caddis", {"slow"}};
    rules.politeness.host_bandwidth = in_sheet;
    return std::make_shared<const HostRules>(std::move(rules));
  };
  options_.sheet_bandwidths = "slow: 1000";
  reopen();
  add_pages("a.example", 3);
  visit("a.example", kMegabyte);
  reopen_with(0);
  EXPECT_GE(wait_for("a.example"), 900s);
  reopen_with(0);
  visit("a.example", kMegabyte);
  in_sheet = 4000;
  options_.sheet_bandwidths = "slow: 4000";
  reopen_with(0);
  const Duration waited = wait_for("a.example");
  EXPECT_GE(waited, 200s);
  EXPECT_LE(waited, 250s);
}

// What a batch has put off is owed, too.
TEST_F(DebtsTest, OfABatch) {
  options_.politeness.batch = 4;
  reopen();
  add_pages("a.example", 20);
  for (int i = 0; i < 3; ++i) visit("a.example", kMegabyte);
  limit(0);
  visit("a.example", 0);
  EXPECT_LE(wait_for("a.example"), 60s);
}

// Whose visit it was stands in debt, and those that share its pause with it.
TEST_F(DebtsTest, OfAGroup) {
  options_.politeness.groups = {"server: *.blogs.example"};
  reopen();
  add_pages("a.blogs.example", 1);
  visit("a.blogs.example", kMegabyte);
  add_pages("b.blogs.example", 1);
  settle(*next());
  EXPECT_FALSE(next());
  // On its way up the limit was lower for a moment.
  limit(500);
  limit(2000);
  EXPECT_LE(*frontier_->next_due() - clock_.steady(), Duration(500s));
  limit(0);
  EXPECT_LE(wait_for("b.blogs.example"), 30s);
}

}  // namespace
}  // namespace caddis::frontier
