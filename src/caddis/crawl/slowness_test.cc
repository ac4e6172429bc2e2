#include "caddis/crawl/slowness.h"

#include <gtest/gtest.h>

namespace caddis::crawl {
namespace {

using frontier::Waits;

TEST(Slowness, NamesWhatMostWaitFor) {
  const auto why = [](const Waits& waits) { return slow_because(waits, 50); };
  EXPECT_EQ(why({}), "");
  EXPECT_EQ(why({.states = {{"politeness", 37, 900}, {"being visited", 3, 40}}, .fetching = 3}),
            "politeness: 37 of 40 queues wait for the delay");
  EXPECT_EQ(why({.states = {{"set aside", 9, 90}, {"retry", 2, 2}}}), "failures: 9 of 11 queues are set aside");
  EXPECT_EQ(why({.states = {{"politeness", 1, 9}}}), "politeness: 1 of 1 queue waits for the delay");
  EXPECT_EQ(why({.states = {{"being visited", 8, 90}}, .looking_up = 6, .fetching = 2}),
            "DNS: 6 of 8 visits look up an address");
  EXPECT_EQ(why({.states = {{"being visited", 8, 90}}, .robots = 6, .fetching = 2}),
            "robots.txt: 6 of 8 visits fetch it");
  EXPECT_EQ(why({.states = {{"being visited", 8, 90}}, .fetching = 8}), "the servers: 8 of 8 queues are being visited");
  EXPECT_EQ(why({.states = {{"ready", 500, 900}, {"being visited", 50, 90}}, .fetching = 50}),
            "the number of visits: all 50 allowed (max-visits) are in flight");
  EXPECT_EQ(why({.states = {{"asked to wait", 1, 9}}}),
            "the servers: 1 of 1 queue is to wait as long as the server has said (Retry-After)");
  EXPECT_EQ(why({.states = {{"ready", 8, 90}, {"politeness", 2, 9}}, .fetching = 1, .for_bandwidth = true}),
            "bandwidth: 8 of 10 queues are ready, and held back by what is allowed (politeness.bandwidth)");
  EXPECT_EQ(why({.states = {{"politeness", 4, 9}, {"retry", 3, 9}, {"ready", 3, 9}}}), "politeness: 4 of 10 queues");
}

}  // namespace
}  // namespace caddis::crawl
