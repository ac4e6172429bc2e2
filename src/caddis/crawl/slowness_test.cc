#include "caddis/crawl/slowness.h"

#include <gtest/gtest.h>

namespace caddis::crawl {
namespace {

using frontier::QueueState;
using frontier::QueueStates;

TEST(Slowness, NamesWhatMostWaitFor) {
  const auto why = [](const QueueStates& waits) { return slow_because(waits, 50); };
  EXPECT_EQ(why({}), "");
  EXPECT_EQ(why({.states = {{QueueState::politeness, 37, 900}, {QueueState::being_visited, 3, 40}}, .fetching = 3}),
            "politeness: 37 of 40 queues wait for the delay");
  EXPECT_EQ(why({.states = {{QueueState::suspended, 9, 90}, {QueueState::retry, 2, 2}}}),
            "failures: 9 of 11 queues are set aside");
  EXPECT_EQ(why({.states = {{QueueState::politeness, 1, 9}}}), "politeness: 1 of 1 queue waits for the delay");
  EXPECT_EQ(why({.states = {{QueueState::being_visited, 8, 90}}, .looking_up = 6, .fetching = 2}),
            "DNS: 6 of 8 visits look up an address");
  EXPECT_EQ(why({.states = {{QueueState::being_visited, 8, 90}}, .robots = 6, .fetching = 2}),
            "robots.txt: 6 of 8 visits fetch it");
  EXPECT_EQ(why({.states = {{QueueState::being_visited, 8, 90}}, .fetching = 8}),
            "the servers: 8 of 8 queues are being visited");
  EXPECT_EQ(why({.states = {{QueueState::ready, 500, 900}, {QueueState::being_visited, 50, 90}}, .fetching = 50}),
            "the number of visits: all 50 allowed (max-visits) are in flight");
  EXPECT_EQ(why({.states = {{QueueState::retired_by_setting, 3, 9}, {QueueState::politeness, 1, 2}}}),
            "the settings: 3 of 4 queues are retired (frontier.retire)");
  EXPECT_EQ(why({.states = {{QueueState::over_quota, 1, 9}}}), "quotas: 1 of 1 queue has used up a quota");
  EXPECT_EQ(why({.states = {{QueueState::asked_to_wait, 1, 9}}}),
            "the servers: 1 of 1 queue is to wait as long as the server has said (Retry-After)");
  EXPECT_EQ(why({.states = {{QueueState::ready, 8, 90}, {QueueState::politeness, 2, 9}},
                 .fetching = 1,
                 .for_bandwidth = true}),
            "bandwidth: 8 of 10 queues are ready, and held back by what is allowed (politeness.bandwidth)");
  EXPECT_EQ(why({.states = {{QueueState::politeness, 4, 9}, {QueueState::retry, 3, 9}, {QueueState::ready, 3, 9}}}),
            "politeness: 4 of 10 queues");
}

}  // namespace
}  // namespace caddis::crawl
