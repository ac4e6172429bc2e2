#include "caddis/sql/turns.h"

#include <gtest/gtest.h>

#include <mutex>
#include <thread>
#include <vector>

namespace caddis::sql {
namespace {

TEST(Turns, AreTakenInTheOrderInWhichPeopleCame) {
  Turns turns;
  std::vector<int> order;
  std::vector<std::thread> others;
  turns.lock();
  for (int i = 1; i <= 3; ++i) {
    others.emplace_back([&turns, &order, i] {
      const std::scoped_lock lock(turns);
      order.push_back(i);
    });
    while (turns.users() <= static_cast<uint64_t>(i)) std::this_thread::yield();
  }
  // Whoever lets it go and wants it again comes behind those who wait.
  turns.unlock();
  turns.lock();
  order.push_back(0);
  turns.unlock();
  for (std::thread& other : others) other.join();
  EXPECT_EQ(order, (std::vector{1, 2, 3, 0}));
  EXPECT_EQ(turns.users(), 0u);
}

}  // namespace
}  // namespace caddis::sql
