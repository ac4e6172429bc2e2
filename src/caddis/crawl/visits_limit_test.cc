#include "caddis/crawl/visits_limit.h"

#include <gtest/gtest.h>

#include "caddis/crawl/memory_shares.h"

namespace caddis::crawl {
namespace {

using namespace std::chrono_literals;

uint64_t after(int seconds, const VisitsLimit::Load& load, VisitsLimit limit = VisitsLimit(0)) {
  for (int i = 0; i < seconds; ++i) limit.observe(load);
  return limit.now();
}

TEST(VisitsLimit, GrowsWhereHostsWaitAndTheMachineHasRoom) {
  EXPECT_EQ(after(30, {}), VisitsLimit::kFirst);
  EXPECT_EQ(after(60, {.was_reached = true, .processor = 0.5}), VisitsLimit::kMost);
  EXPECT_EQ(after(60, {.was_reached = true, .processor = 0.9}), VisitsLimit::kFirst);
  EXPECT_EQ(after(60, {.was_reached = true, .lag = 200ms}), VisitsLimit::kFirst);
  EXPECT_EQ(after(60, {.was_reached = true, .backlog = 0.6}), VisitsLimit::kFirst);
  EXPECT_EQ(after(60, {.was_reached = true, .memory = 0.85}), VisitsLimit::kFirst);
}

TEST(VisitsLimit, ShrinksWhereItIsTooMuch) {
  EXPECT_EQ(after(60, {.lag = 1s}), VisitsLimit::kFewest);
  EXPECT_EQ(after(1, {.memory = 1}), 192u);
  EXPECT_EQ(after(1, {.backlog = 1}), 192u);
}

TEST(VisitsLimit, WhatAnOperatorSetsStays) {
  EXPECT_EQ(after(60, {.was_reached = true, .lag = 1s}, VisitsLimit(7)), 7u);
}

TEST(MemoryShares, StayWithinTheWhole) {
  config::Settings settings;
  settings.frontier.precedences = "list";
  settings.frontier.order = frontier::UrlOrder::opic;
  for (const int64_t memory : {256'000'000L, 2'000'000'000L, 64'000'000'000L}) {
    settings.memory.total = memory;
    const MemoryShares shares = memory_shares(settings);
    // Finished visits are in spools.
    EXPECT_LE(shares.seen + shares.hosts + shares.spools + shares.digests + shares.cookies + shares.importance +
                  shares.precedences + 192'000'000,
              static_cast<uint64_t>(memory));
    EXPECT_GT(shares.digests, 2'000'000u);
    EXPECT_GT(shares.spools, shares.finished + 10'000'000u);
    EXPECT_GT(shares.finished, 5'000'000u);
    EXPECT_GT(shares.importance, 5'000'000u);
    EXPECT_GE(hosts_in_memory(settings), 1000u);
  }
}

TEST(MemoryShares, WhatIsNotWantedTakesNothing) {
  config::Settings settings;
  settings.memory.total = 2'000'000'000;
  EXPECT_EQ(memory_shares(settings).seen, 976'320'000u);
  EXPECT_EQ(memory_shares(settings).importance, 0u);
  EXPECT_EQ(memory_shares(settings).precedences, 0u);
  settings.frontier.order = frontier::UrlOrder::opic;
  EXPECT_EQ(memory_shares(settings).importance, 180'800'000u);
  EXPECT_EQ(memory_shares(settings).seen, 976'320'000u - 180'800'000u);
  settings.memory.seen = 7;
  settings.memory.hosts = 9;
  EXPECT_EQ(memory_shares(settings).seen, 7u);
  EXPECT_EQ(hosts_in_memory(settings), 9u);
}

}  // namespace
}  // namespace caddis::crawl
