#include "caddis/frontier/again.h"

#include <gtest/gtest.h>

#include "caddis/frontier/frontier_fixture.h"

namespace caddis::frontier {
namespace {

TEST(AgainRule, ReadsWhatPeopleWrite) {
  EXPECT_EQ(*parse_again_rule("5xx after 1h, 2 times"), (AgainRule{500, 599, 1h, 2}));
  EXPECT_EQ(*parse_again_rule(" 404 after 1d "), (AgainRule{404, 404, 24h, 1}));
  EXPECT_EQ(*parse_again_rule("500-504 after 1h30m,10 times"), (AgainRule{500, 504, 90min, 10}));
  EXPECT_EQ(*parse_again_rule("-2 after 0s"), (AgainRule{-2, -2, Duration(0), 1}));
  EXPECT_EQ(*parse_again_rule("-9--1 after 1m"), (AgainRule{-9, -1, 1min, 1}));
}

TEST(AgainRule, RefusesTheRest) {
  for (const char* text :
       {"", "5xx", "after 1h", "0 after 1h", "xxx after 1h", "0xx after 1h", "5xx after", "5xx after x",
        "5xx after 1h,", "5xx after 1h, 0 times", "5xx after 1h, 2", "5xx after 1h, -1 times", "599-500 after 1h",
        "5xx after 5000d", "10000 after 1h", "5xx after nan", "5xx after -1s"})
    EXPECT_FALSE(parse_again_rule(text)) << text;
  const auto refused = Again::parse({"5xx after 1h", "soon"});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().message.contains("'soon'")) << refused.error().message;
}

TEST(Again, TheFirstRuleThatFitsCounts) {
  const Again again = *Again::parse({"503 after 5m, 2 times", "5xx after 1h"});
  EXPECT_EQ(again.after(503, 0), Duration(5min));
  EXPECT_EQ(again.after(503, 1), Duration(5min));
  EXPECT_EQ(again.after(503, 2), std::nullopt);
  EXPECT_EQ(again.after(500, 0), Duration(1h));
  EXPECT_EQ(again.after(500, 1), std::nullopt);
  EXPECT_EQ(again.after(404, 0), std::nullopt);
  EXPECT_EQ(again.longest(), Duration(1h));
}

// The URL stands in the queue meanwhile: the crawl does not end, a death forgets nothing, and others go on.
TEST_F(FrontierTest, AStatusThatIsFetchedAgain) {
  options_.again = *Again::parse({"5xx after 2h, 2 times"});
  reopen();
  add({scheduled("http://a.example/bad", "L"), scheduled("http://a.example/good", "L")});
  std::vector<std::pair<uint32_t, Duration>> visits;
  const SteadyTime began = clock_.steady();
  while (auto lease = next_whenever()) {
    const bool bad = lease->candidate.url.ends_with("/bad");
    if (bad) visits.emplace_back(lease->times, clock_.steady() - began);
    EXPECT_EQ(settle(*lease, bad ? 500 : 200), Outcome::final);
    for (const bool after_restart : {false, true}) {
      SCOPED_TRACE(after_restart);
      const auto queue = frontier_->admin().explain_host("a.example")->queues.front();
      EXPECT_EQ(queue.retries, 0u) << "it did not fail";
      EXPECT_EQ(queue.again, visits.empty() || visits.size() == 3 ? 0u : 1u);
      EXPECT_TRUE(frontier_->admin().queues(QueueOrder::failures, 9).empty());
      EXPECT_TRUE(frontier_->admin().all_queues(QueueOrder::failures, 9)->empty());
      commit();
      if (!after_restart) reopen();
    }
  }
  EXPECT_TRUE(frontier_->is_empty());
  ASSERT_EQ(visits.size(), 3u);
  for (uint32_t i = 0; i < 3; ++i) EXPECT_EQ(visits[i].first, i);
  for (size_t i = 1; i < 3; ++i) {
    EXPECT_GE(visits[i].second - visits[i - 1].second, Duration(2h));
    EXPECT_LT(visits[i].second - visits[i - 1].second, Duration(2h + 1min));
  }
  const auto queue = frontier_->admin().explain_host("a.example")->queues.front();
  EXPECT_EQ(queue.finished, 2u) << "URLs, not visits";
  EXPECT_EQ(queue.usage.successes, 4u);
}

// Failed tries of such a visit are retried as usual, and do not count as times.
TEST_F(FrontierTest, TriesOfAUrlFetchedAgain) {
  options_.again = *Again::parse({"404 after 1h"});
  reopen();
  add({scheduled("http://a.example/x", "L")});
  settle(*next_whenever());
  settle(*next_whenever());
  settle(*next_whenever(), 404);
  frontier_->admin().wake("a.example");
  clock_.advance(1min);
  EXPECT_FALSE(next()) << "it is no back-off";
  const Lease second = *next_whenever();
  EXPECT_EQ(second.times, 1u);
  Disposition lost;
  lost.lease = second;
  lost.verdict = Verdict::retry_url;
  lost.status = -3;
  EXPECT_EQ(frontier_->finish(lost), Outcome::again);
  EXPECT_EQ(frontier_->admin().explain_host("a.example")->queues.front().retries, 1u);
  EXPECT_EQ(frontier_->admin().explain_host("a.example")->queues.front().again, 0u);
  const Lease third = *next_whenever();
  EXPECT_EQ(third.attempt, 2u);
  EXPECT_EQ(third.times, 1u);
  settle(third, 404);
  EXPECT_TRUE(frontier_->is_empty());
}

}  // namespace
}  // namespace caddis::frontier
