#include "caddis/access/sessions.h"

#include <gtest/gtest.h>

#include <vector>

namespace caddis::access {
namespace {

using namespace std::chrono_literals;

TEST(Sessions, EndWithoutUseAndAfterAWeek) {
  ManualClock clock;
  Sessions sessions;
  const std::string one = sessions.begin("alice", "stamp", clock.steady());
  EXPECT_EQ(one.size(), 64u);
  for (int i = 0; i < 14; ++i) {
    clock.advance(11h);
    ASSERT_NE(sessions.find(one, clock.steady()), nullptr);
  }
  EXPECT_EQ(sessions.find(one, clock.steady())->user, "alice");
  clock.advance(15h);
  EXPECT_EQ(sessions.find(one, clock.steady()), nullptr);
  EXPECT_EQ(sessions.size(), 0u);
  const std::string two = sessions.begin("alice", "stamp", clock.steady());
  clock.advance(13h);
  EXPECT_EQ(sessions.find(two, clock.steady()), nullptr);
}

TEST(Sessions, AreEndedAndNotGuessed) {
  ManualClock clock;
  Sessions sessions;
  const std::string one = sessions.begin("alice", "stamp", clock.steady());
  for (const std::string& wrong : {std::string(), std::string("0"), one.substr(1), one + "0"})
    EXPECT_EQ(sessions.find(wrong, clock.steady()), nullptr);
  sessions.end(one);
  EXPECT_EQ(sessions.find(one, clock.steady()), nullptr);
}

TEST(Sessions, OfAUserAreBounded) {
  ManualClock clock;
  Sessions sessions;
  std::vector<std::string> all;
  for (int i = 0; i < 25; ++i) {
    clock.advance(1s);
    all.push_back(sessions.begin("alice", "stamp", clock.steady()));
  }
  EXPECT_EQ(sessions.size(), 20u);
  EXPECT_EQ(sessions.find(all.front(), clock.steady()), nullptr);
  EXPECT_NE(sessions.find(all.back(), clock.steady()), nullptr);
}

}  // namespace
}  // namespace caddis::access
