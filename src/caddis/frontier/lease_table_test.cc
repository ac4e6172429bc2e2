#include "caddis/frontier/lease_table.h"

#include <gtest/gtest.h>

namespace caddis::frontier {
namespace {

TEST(LeaseTable, KeepsALeaseUntilItIsTaken) {
  LeaseTable leases;
  Queue queue;
  const uint64_t first = leases.add({.queue = &queue, .url = "http://a/1"});
  const uint64_t second = leases.add({.queue = &queue, .kind = LeaseKind::dns, .url = "dns:a"});
  EXPECT_NE(first, second);
  EXPECT_EQ(leases.size(), 2u);
  EXPECT_EQ(leases.take(first).url, "http://a/1");
  EXPECT_EQ(leases.size(), 1u);
  EXPECT_NE(leases.add({.queue = &queue}), first) << "numbers are never used again";
}

TEST(LeaseTable, FindsALeaseOfAQueue) {
  LeaseTable leases;
  Queue visited, other;
  leases.add({.queue = &visited, .url = "http://a/1"});
  visited.schedule.visits = 1;
  ASSERT_NE(leases.find(visited), nullptr);
  EXPECT_EQ(leases.find(visited)->url, "http://a/1");
  EXPECT_EQ(leases.find(other), nullptr);
}

TEST(LeaseTableDeathTest, RefusesALeaseThatIsNotOut) {
  LeaseTable leases;
  EXPECT_DEATH(leases.take(1), "");
}

}  // namespace
}  // namespace caddis::frontier
