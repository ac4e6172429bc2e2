#include "caddis/crawl/feed_patience.h"

#include <gtest/gtest.h>

namespace caddis::crawl {
namespace {

using namespace std::chrono_literals;

TEST(FeedPatience, IsLostIfNothingIsAnswered) {
  const SteadyTime begun = SteadyTime(1h);
  FeedPatience patience(begun, 7);
  EXPECT_FALSE(patience.is_lost(begun + 29s, 7));
  EXPECT_TRUE(patience.is_lost(begun + 30s, 7));
}

TEST(FeedPatience, LastsWhileStatementsAreAnswered) {
  const SteadyTime begun = SteadyTime(1h);
  FeedPatience patience(begun, 0);
  uint64_t answered = 0;
  for (Duration passed = 5s; passed <= 10min; passed += 5s)
    EXPECT_FALSE(patience.is_lost(begun + passed, answered += 500)) << passed.count();
  EXPECT_FALSE(patience.is_lost(begun + 10min + 29s, answered));
  EXPECT_TRUE(patience.is_lost(begun + 10min + 30s, answered));
}

}  // namespace
}  // namespace caddis::crawl
