// Back-offs, suspension and abandonment of a host by itself.
#include "caddis/frontier/host_health.h"

#include <gtest/gtest.h>

#include "caddis/base/fetch_status.h"
#include "caddis/store/memory_kv.h"

namespace caddis::frontier {
namespace {

using namespace std::chrono_literals;

class HostHealthTest : public ::testing::Test {
 protected:
  HostHealthTest() {
    host_.name = "a.example";
    host_.addresses.list = {"192.0.2.1"};
    auto& queue = host_.queues.emplace_back(std::make_unique<Queue>());
    queue->host = &host_;
    queue->queued = 5;
    counters_.add(share_of(host_));
  }
  Queue& queue() { return *host_.queues.front(); }
  static Disposition after(LeaseKind kind, int status) {
    Disposition done;
    done.lease.kind = kind;
    done.verdict = Verdict::host_failed;
    done.status = status;
    return done;
  }
  bool fail(int status = -2) { return health_.failed(queue(), after(LeaseKind::url, status)); }

  ManualClock clock_;
  BoundedClock bounded_{clock_};
  RulesBook rules_{{}, nullptr, {}};
  store::MemoryKvDisk disk_;
  std::unique_ptr<store::Kv> kv_ = *disk_.open({"hosts"});
  RowCache cache_{*kv_};
  HostRows rows_{{}, cache_, bounded_};
  Counters counters_;
  bool may_connect_ = false;
  HostHealth health_{bounded_, rules_, counters_, rows_,
                     [this](const std::string&, const std::string&) { return may_connect_; }};
  Host host_;
};

TEST_F(HostHealthTest, EachFailureWaitsLongerUntilItIsSuspendedAndAbandoned) {
  Duration before{};
  for (int failure = 1; failure < 5; ++failure) {
    EXPECT_FALSE(fail());
    const Duration wait = queue().failures.retry_at - clock_.wall();
    EXPECT_GT(wait, before);
    before = wait;
  }
  EXPECT_FALSE(fail());
  EXPECT_TRUE(queue().failures.suspended);
  EXPECT_EQ(counters_.totals().queued_suspended, 5u);
  EXPECT_FALSE(fail()) << "the first probe";
  EXPECT_TRUE(fail()) << "the last one";
  EXPECT_EQ(health_.status_of(queue()), -2);
  EXPECT_EQ(counters_.totals().hosts_abandoned, 1u);
  EXPECT_EQ(counters_.totals().queued_suspended, 0u);
}

TEST_F(HostHealthTest, AnotherAddressIsTriedAtOnce) {
  host_.addresses.list = {"192.0.2.1", "192.0.2.2"};
  EXPECT_FALSE(fail());
  EXPECT_EQ(queue().failures.retry_at, clock_.wall());
  EXPECT_EQ(host_.addresses.next(), "192.0.2.2");
}

TEST_F(HostHealthTest, RecoveryForgetsWhatFailed) {
  for (int failure = 0; failure < 5; ++failure) fail();
  EXPECT_TRUE(health_.recovered(host_, queue().failures));
  EXPECT_EQ(queue().failures.failures, 0u);
  EXPECT_EQ(counters_.totals(), (Totals{.queued = 5}));
  EXPECT_FALSE(health_.recovered(host_, queue().failures));
}

TEST_F(HostHealthTest, ANameThatDoesNotExistIsAbandonedAtOnce) {
  health_.hopeless(queue(), after(LeaseKind::dns, -1));
  EXPECT_EQ(host_.failures.abandoned, status::kDomainPrerequisiteFailed);
  EXPECT_TRUE(health_.has_abandoned());
  health_.reset(host_, host_.failures);
  EXPECT_EQ(health_.status_of(queue()), 0);
  EXPECT_FALSE(health_.has_abandoned());
}

TEST_F(HostHealthTest, ARefusedAddressIsTriedAgainWhenOneMayConnect) {
  health_.hopeless(queue(), after(LeaseKind::dns, status::kAddressRefused));
  EXPECT_EQ(health_.reason_of(queue()), "refused:192.0.2.1");
  EXPECT_FALSE(health_.reset_if_connectable(host_));
  may_connect_ = true;
  EXPECT_TRUE(health_.reset_if_connectable(host_));
  EXPECT_EQ(health_.status_of(queue()), 0);
}

TEST_F(HostHealthTest, WakingEndsBackOffs) {
  fail();
  EXPECT_TRUE(health_.retry_now(host_));
  EXPECT_EQ(queue().failures.retry_at, clock_.wall());
  EXPECT_FALSE(health_.retry_now(host_));
}

TEST_F(HostHealthTest, AllMayBeAbandoned) {
  health_.abandon_all(-5, "limit:time");
  EXPECT_EQ(health_.status_of(queue()), -5);
  EXPECT_EQ(health_.reason_of(queue()), "limit:time");
}

}  // namespace
}  // namespace caddis::frontier
