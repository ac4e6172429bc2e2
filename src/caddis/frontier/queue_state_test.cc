#include "caddis/frontier/queue_state.h"

#include <gtest/gtest.h>

namespace caddis::frontier {
namespace {

TEST(QueueState, EachHasANameOfItsOwnAndASentence) {
  for (int number = 0; number <= static_cast<int>(QueueState::empty); ++number) {
    const auto state = static_cast<QueueState>(number);
    EXPECT_EQ(queue_state_named(to_string(state)), state);
    EXPECT_FALSE(sentence(state).empty());
  }
  EXPECT_EQ(queue_state_named("no such state"), std::nullopt);
}

// They stand in JSON, and programs read them.
TEST(QueueState, NamesStay) {
  EXPECT_EQ(to_string(QueueState::suspended), "set aside");
  EXPECT_EQ(to_string(QueueState::abandoned), "given up");
  EXPECT_EQ(to_string(QueueState::retired_by_setting), "retired by setting");
  EXPECT_EQ(to_string(QueueState::no_robots), "no robots.txt");
}

}  // namespace
}  // namespace caddis::frontier
