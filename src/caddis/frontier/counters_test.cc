#include "caddis/frontier/counters.h"

#include <gtest/gtest.h>

namespace caddis::frontier {
namespace {

// A host with two queues, of three URLs and of four.
struct Example {
  Example() {
    for (const uint64_t urls : {3, 4}) {
      auto& queue = host.queues.emplace_back(std::make_unique<Queue>());
      queue->host = &host;
      queue->queued = urls;
    }
  }
  Host host;
};

TEST(Counters, AQueueCountsForWhatHoldsItBack) {
  Example example;
  Queue& queue = *example.host.queues.front();
  EXPECT_EQ(share_of(queue), (Totals{.queued = 3}));
  queue.failures.suspended = true;
  EXPECT_EQ(share_of(queue), (Totals{.queued = 3, .queued_suspended = 3}));
  queue.over = {Quota::host_bytes, false};
  EXPECT_EQ(share_of(queue), (Totals{.queued = 3, .queued_retired = 3, .queued_over = 3}));
  queue.over = {Quota::host_bytes, true};
  EXPECT_EQ(share_of(queue), (Totals{.queued = 3, .queued_suspended = 3})) << "its URLs are abandoned, and do not wait";
}

TEST(Counters, AHostCountsForItsQueuesAndFailures) {
  Example example;
  example.host.failures.suspended = true;
  example.host.queues.back()->failures.abandoned = -61;
  EXPECT_EQ(share_of(example.host),
            (Totals{.queued = 7, .queued_suspended = 7, .hosts_suspended = 1, .hosts_abandoned = 1}));
}

TEST(Counters, FollowEdits) {
  Example example;
  Counters counters;
  counters.add(share_of(example.host));
  counters.change(example.host, [&] { example.host.overrides.retired = true; });
  EXPECT_EQ(counters.totals(), (Totals{.queued = 7, .queued_retired = 7}));
  Queue& queue = *example.host.queues.front();
  counters.change(queue, [&] { --queue.queued; });
  EXPECT_EQ(counters.totals(), (Totals{.queued = 6, .queued_retired = 6}));
  counters.change(example.host, [&] { example.host.overrides.blocked = true; });
  EXPECT_EQ(counters.totals(), (Totals{.queued = 6})) << "what is blocked is abandoned, though it is retired";
}

TEST(Counters, AreWrittenWhenTheyChange) {
  Counters counters;
  ASSERT_TRUE(counters.load(std::nullopt));
  EXPECT_FALSE(counters.stage());
  counters.add({.queued = 5, .edits = 1});
  const auto row = counters.stage();
  ASSERT_TRUE(row);
  EXPECT_FALSE(counters.stage());
  Counters loaded;
  ASSERT_TRUE(loaded.load(row));
  EXPECT_EQ(loaded.totals(), counters.totals());
  EXPECT_FALSE(loaded.stage());
  EXPECT_FALSE(loaded.load("damaged"));
}

}  // namespace
}  // namespace caddis::frontier
