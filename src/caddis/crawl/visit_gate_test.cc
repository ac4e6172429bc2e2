#include "caddis/crawl/visit_gate.h"

#include <gtest/gtest.h>

namespace caddis::crawl {
namespace {

TEST(VisitGate, IsOpenIfNothingHolds) {
  const Holds holds = holds_under({});
  EXPECT_FALSE(holds.any());
  EXPECT_FALSE(holds.stop_clocks());
  EXPECT_FALSE(holds.keep_actions());
}

TEST(VisitGate, NamesEachReason) {
  const std::pair<Hold, VisitConditions> cases[] = {
      {Hold::unwritable, {.is_writable = false}},
      {Hold::no_lane, {.has_lane = false}},
      {Hold::limit, {.is_at_limit = true}},
      {Hold::importing, {.is_importing = true}},
      {Hold::disk, {.has_disk = false}},
      {Hold::backlog, {.backlog = 10, .most_backlog = 10}},
      {Hold::memory, {.has_memory = false, .visiting = 2, .lanes = 2}},
      {Hold::seen, {.is_seen_behind = true}},
      {Hold::paused, {.state = RunState::paused}},
      {Hold::ending, {.state = RunState::stopping}},
      {Hold::ending, {.state = RunState::ended}},
      {Hold::visits, {.visiting = 5, .most_visiting = 5}},
      {Hold::last_documents, {.visiting = 2, .documents = 8, .most_documents = 10}},
  };
  for (const auto& [hold, conditions] : cases) {
    const Holds holds = holds_under(conditions);
    ASSERT_TRUE(holds.any()) << static_cast<int>(hold);
    EXPECT_EQ(holds.first(), hold) << static_cast<int>(hold);
    EXPECT_TRUE(holds.are_only({hold}));
  }
}

// Otherwise a crawl whose memory is full for another reason would never end.
TEST(VisitGate, LetsOneVisitALaneGoOnWithoutMemory) {
  EXPECT_FALSE(holds_under({.has_memory = false, .visiting = 1, .lanes = 2}).any());
}

TEST(VisitGate, TellsTheWorstReasonFirst) {
  const Holds holds = holds_under({.state = RunState::paused, .is_writable = false, .has_disk = false});
  EXPECT_EQ(holds.first(), Hold::unwritable);
  EXPECT_TRUE(holds.has(Hold::disk));
  EXPECT_TRUE(holds.has(Hold::paused));
  EXPECT_FALSE(holds.are_only({Hold::disk, Hold::paused}));
}

// Silence and idleness are the web's, not those of a crawl that may not visit; and what a file asks for waits only for
// what would lose it.
TEST(VisitGate, KnowsWhatElseAReasonHoldsUp) {
  EXPECT_TRUE(holds_under({.state = RunState::paused}).stop_clocks());
  EXPECT_FALSE(holds_under({.state = RunState::paused}).keep_actions());
  EXPECT_FALSE(holds_under({.visiting = 5, .most_visiting = 5}).stop_clocks());
  EXPECT_TRUE(holds_under({.has_disk = false}).stop_clocks());
  EXPECT_TRUE(holds_under({.has_disk = false}).keep_actions());
  EXPECT_FALSE(holds_under({.is_seen_behind = true}).stop_clocks());
  EXPECT_TRUE(holds_under({.is_seen_behind = true}).keep_actions());
}

}  // namespace
}  // namespace caddis::crawl
