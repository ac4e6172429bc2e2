// Two crawls that share a folder of hosts, under one clock.
#include "caddis/crawl/shared_hosts.h"

#include <gtest/gtest.h>

#include "support/testdata.h"

namespace caddis::crawl {
namespace {

using namespace std::chrono_literals;

class SharedHostsTest : public ::testing::Test {
 protected:
  std::unique_ptr<SharedHosts> open() { return *SharedHosts::open(folder_ / "hosts", clock_); }
  SteadyTime in(Duration wait) const { return clock_.steady() + wait; }
  void pass(Duration time) {
    clock_.advance(time);
    a_->sweep();
    if (b_) b_->sweep();
  }

  testing::TempDir folder_;
  ManualClock clock_;
  std::unique_ptr<SharedHosts> a_ = open(), b_ = open();
};

TEST_F(SharedHostsTest, AHostIsOneCrawlsUntilItsPauseHasEnded) {
  EXPECT_TRUE(a_->take("a.example"));
  EXPECT_TRUE(a_->take("a.example")) << "several visits of one crawl are its own affair";
  EXPECT_FALSE(b_->take("a.example"));
  EXPECT_TRUE(b_->take("b.example")) << "another host";
  a_->leave("a.example", in(5s));
  pass(4s);
  EXPECT_FALSE(b_->take("a.example")) << "the pause is for all";
  pass(2s);
  EXPECT_TRUE(b_->take("a.example"));
  EXPECT_FALSE(a_->take("a.example"));
}

TEST_F(SharedHostsTest, TheyTakeTurns) {
  int visits_of_a = 0, visits_of_b = 0;
  for (int second = 0; second < 120; ++second) {
    if (a_->take("a.example")) {
      ++visits_of_a;
      a_->leave("a.example", in(1s));
    }
    if (b_->take("a.example")) {
      ++visits_of_b;
      b_->leave("a.example", in(1s));
    }
    clock_.advance(1s);  // nobody sweeps: whoever has it asks at once when its pause has ended
  }
  EXPECT_GT(visits_of_a, 25);
  EXPECT_GT(visits_of_b, 25);
}

TEST_F(SharedHostsTest, ACrawlThatEndsOrDiesLeavesAll) {
  EXPECT_TRUE(a_->take("a.example"));
  EXPECT_FALSE(b_->take("a.example"));
  a_.reset();
  EXPECT_TRUE(b_->take("a.example"));
  a_ = open();
}

TEST_F(SharedHostsTest, AWishThatIsGivenUpKeepsNobodyFromGoingOn) {
  EXPECT_TRUE(a_->take("a.example"));
  EXPECT_FALSE(b_->take("a.example"));
  a_->leave("a.example", in(11s));
  clock_.advance(11s);
  b_->sweep();
  EXPECT_TRUE(a_->take("a.example")) << "b has not asked for ten seconds";
}

TEST_F(SharedHostsTest, LeavingWhatIsNotTakenIsNothing) {
  a_->leave("a.example", in(5s));
  EXPECT_TRUE(b_->take("a.example"));
}

}  // namespace
}  // namespace caddis::crawl
