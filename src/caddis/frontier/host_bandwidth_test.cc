// Pauses for `host-bandwidth`: how long they are, that the reason is told, and how they end early.
#include <gtest/gtest.h>

#include "caddis/frontier/frontier_fixture.h"

namespace caddis::frontier {
namespace {

// A host pays a kilobyte a second, and waits a quarter of an hour and more for a megabyte.
class HostBandwidthTest : public FrontierTest {
 protected:
  static constexpr uint64_t kMegabyte = 1'000'000;

  HostBandwidthTest() {
    options_.obey_robots = false;
    options_.politeness.host_bandwidth = 1000;
    reopen();
  }
  // Visits the next page, which is as large as said.
  void visit(uint64_t bytes, std::optional<Duration> retry_after = std::nullopt) {
    for (auto lease = next_whenever();; lease = next_whenever()) {
      ASSERT_TRUE(lease);
      if (lease->kind == LeaseKind::dns) {
        settle(*lease);
        continue;
      }
      Disposition done;
      done.lease = *lease;
      done.status = 200;
      done.fetch_time = 100ms;
      done.bytes = bytes;
      done.retry_after = retry_after;
      frontier_->finish(done);
      return;
    }
  }
  Duration wait() {
    EXPECT_FALSE(next());
    return *frontier_->next_due() - clock_.steady();
  }
  QueueState state() { return frontier_->admin().explain_host("a.example")->queues.front().state; }
  void set_limit(int64_t bytes) {
    PolitenessSettings politeness = options_.politeness;
    politeness.host_bandwidth = bytes;
    set_politeness(politeness);
  }
};

TEST_F(HostBandwidthTest, APauseIsAsLongAsTheBytesAsk) {
  add({scheduled("http://a.example/1", "L"), scheduled("http://a.example/2", "L")});
  visit(kMegabyte);
  EXPECT_EQ(wait(), Duration(1000s));
  EXPECT_EQ(state(), QueueState::host_bandwidth);
}

TEST_F(HostBandwidthTest, TheDelayIsTheReasonIfItIsLonger) {
  add({scheduled("http://a.example/1", "L"), scheduled("http://a.example/2", "L")});
  visit(1000);
  EXPECT_EQ(wait(), Duration(3s));
  EXPECT_EQ(state(), QueueState::politeness);
}

TEST_F(HostBandwidthTest, SoIsAServerThatAsksForMore) {
  add({scheduled("http://a.example/1", "L"), scheduled("http://a.example/2", "L")});
  visit(kMegabyte, 30min);
  EXPECT_EQ(wait(), Duration(30min));
  EXPECT_EQ(state(), QueueState::asked_to_wait);
}

TEST_F(HostBandwidthTest, ABatchPaysInTheEnd) {
  options_.politeness.batch = 2;
  reopen();
  for (const char* url : {"http://a.example/1", "http://a.example/2", "http://a.example/3"}) add({scheduled(url, "L")});
  visit(kMegabyte);
  visit(0);
  EXPECT_EQ(wait(), Duration(1003s));
  EXPECT_EQ(state(), QueueState::host_bandwidth);
}

TEST_F(HostBandwidthTest, PauseAndReasonSurviveARestart) {
  add({scheduled("http://a.example/1", "L"), scheduled("http://a.example/2", "L")});
  visit(kMegabyte);
  commit();
  reopen();
  EXPECT_EQ(state(), QueueState::host_bandwidth);
  EXPECT_GE(wait(), Duration(990s));
}

// A higher limit counts from the next visit on; whoever does not want to wait for what is owed wakes the hosts.
TEST_F(HostBandwidthTest, WakingEndsIt) {
  add({scheduled("http://a.example/1", "L"), scheduled("http://a.example/2", "L")});
  visit(kMegabyte);
  set_limit(0);
  EXPECT_EQ(wait(), Duration(1000s));
  EXPECT_EQ(frontier_->admin().wake("")->hosts, 1u);
  EXPECT_EQ(wait(), Duration(3s));
  EXPECT_EQ(state(), QueueState::politeness);
}

}  // namespace
}  // namespace caddis::frontier
