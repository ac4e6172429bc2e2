// Fetches without a lease are as polite as visits.
#include "caddis/frontier/fetch_permits.h"

#include <gtest/gtest.h>

#include "caddis/frontier/frontier_fixture.h"
#include "caddis/frontier/politeness.h"

namespace caddis::frontier {
namespace {

TEST_F(FrontierTest, AFetchWithoutALeaseWaitsForAVisit) {
  add({scheduled("http://a.example/")});
  settle(*next_whenever());
  const Lease lease = *next_whenever();
  FetchPermits& permits = frontier_->permits();
  const auto refused = permits.acquire("a.example");
  ASSERT_TRUE(refused);
  EXPECT_FALSE(refused->permit);
  EXPECT_GT(refused->ask_again, clock_.steady());
  settle(lease);
  const auto paused = permits.acquire("a.example");
  EXPECT_FALSE(paused->permit);
  clock_.advance(paused->ask_again - clock_.steady());
  EXPECT_TRUE(permits.acquire("a.example")->permit);
}

TEST_F(FrontierTest, AVisitWaitsForAFetchWithoutALease) {
  add({scheduled("http://a.example/", "L")});
  settle(*next_whenever());
  settle(*next_whenever());
  clock_.advance(1h);
  const auto answer = frontier_->permits().acquire("a.example");
  ASSERT_TRUE(answer->permit);
  EXPECT_EQ(answer->permit->permit.address, "192.0.2.1");
  EXPECT_FALSE(next());
  frontier_->permits().release(*answer->permit, {.fetch_time = 1s});
  EXPECT_FALSE(next()) << "it is followed by a pause";
  clock_.advance(5s);
  EXPECT_TRUE(next());
}

TEST_F(FrontierTest, AFetchWithoutALeaseIsPromisedTheNextTurn) {
  add({scheduled("http://a.example/"), scheduled("http://a.example/b")});
  for (int i = 0; i < 3; ++i) settle(*next_whenever());
  FetchPermits& permits = frontier_->permits();
  const auto refused = permits.acquire("a.example");
  ASSERT_FALSE(refused->permit);
  clock_.advance(refused->ask_again - clock_.steady());
  EXPECT_FALSE(next()) << "though its pause is over";
  const auto granted = permits.acquire("a.example");
  ASSERT_TRUE(granted->permit);
  permits.release(*granted->permit, {});
  EXPECT_TRUE(next_whenever());
}

TEST_F(FrontierTest, FetchesWithoutALeaseAndVisitsTakeTurns) {
  add({scheduled("http://a.example/"), scheduled("http://a.example/b")});
  for (int i = 0; i < 3; ++i) settle(*next_whenever());
  FetchPermits& permits = frontier_->permits();
  clock_.advance(10s);
  const auto granted = permits.acquire("a.example");
  ASSERT_TRUE(granted->permit);
  permits.release(*granted->permit, {});
  const auto refused = permits.acquire("a.example");
  ASSERT_FALSE(refused->permit);
  clock_.advance(refused->ask_again - clock_.steady());
  EXPECT_TRUE(next()) << "it is the turn of its own URLs";
}

TEST_F(FrontierTest, AfterAFetchWithoutALeaseTheHostHasItsCrawlDelay) {
  add({scheduled("http://a.example/"), scheduled("http://a.example/b")});
  settle(*next_whenever());
  Disposition robots;
  robots.lease = *next_whenever();
  ASSERT_EQ(robots.lease.kind, LeaseKind::robots);
  robots.robots = RobotsText{"User-agent: *\nCrawl-delay: 20\n", clock_.wall() + 24h};
  frontier_->finish(robots);
  clock_.advance(60s);
  const auto granted = frontier_->permits().acquire("a.example");
  frontier_->permits().release(*granted->permit, {});
  clock_.advance(19s);
  EXPECT_FALSE(next());
  clock_.advance(1s);
  EXPECT_TRUE(next());
}

TEST_F(FrontierTest, APromiseEnds) {
  add({scheduled("http://a.example/"), scheduled("http://a.example/b")});
  for (int i = 0; i < 3; ++i) settle(*next_whenever());
  const auto refused = frontier_->permits().acquire("a.example");
  ASSERT_FALSE(refused->permit);
  clock_.advance(refused->ask_again - clock_.steady() + 1s);
  EXPECT_TRUE(next_whenever());
}

TEST_F(FrontierTest, AFetchForAVisitTakesNoPlaceThatTheVisitHolds) {
  options_.politeness.max_per_address = 1;
  reopen();
  add({scheduled("http://a.example/")});
  settle(*next_whenever());
  const Lease lease = *next_whenever();
  EXPECT_FALSE(frontier_->permits().acquire("b.example", "192.0.2.1")->permit);
  const auto held = frontier_->permits().acquire("b.example", "192.0.2.1", lease.id);
  ASSERT_TRUE(held->permit);
  frontier_->permits().release(*held->permit, {});
  settle(lease);
  clock_.advance(10s);
  EXPECT_TRUE(frontier_->permits().acquire("b.example", "192.0.2.1")->permit);
}

TEST_F(FrontierTest, AHostNobodyHasHeardOfMayBeFetchedFrom) {
  const auto answer = frontier_->permits().acquire("new.example", "192.0.2.7");
  ASSERT_TRUE(answer->permit);
  EXPECT_EQ(answer->permit->permit.address, "192.0.2.7");
  EXPECT_FALSE(frontier_->permits().acquire("new.example", "192.0.2.7")->permit);
  frontier_->permits().release(*answer->permit, {});
  EXPECT_TRUE(frontier_->is_empty());
}

}  // namespace
}  // namespace caddis::frontier
