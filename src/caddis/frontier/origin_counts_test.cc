#include "caddis/frontier/origin_counts.h"

#include <gtest/gtest.h>

#include "caddis/frontier/frontier_fixture.h"

namespace caddis::frontier {
namespace {

constexpr const char* kSeed = "http://a.example/";

class OriginCountsTest : public FrontierTest {
 protected:
  ScheduledUrl url(const std::string& text, const std::string& seed) {
    ScheduledUrl made = scheduled(text, "L");
    made.candidate.seed = seed;
    return made;
  }
  uint64_t outstanding() { return frontier_->admin().outstanding(kSeed); }
};

TEST_F(OriginCountsTest, CountWhatIsWatchedAlone) {
  frontier_->admin().watch_origin(kSeed);
  add({url("http://a.example/1", kSeed), url("http://b.example/1", kSeed), url("http://a.example/2", "http://c/")});
  EXPECT_EQ(outstanding(), 2u);
  EXPECT_EQ(frontier_->admin().outstanding("http://c/"), 0u);
  add({url("http://a.example/1", kSeed)});
  EXPECT_EQ(outstanding(), 2u) << "a duplicate is not outstanding twice";
  run_dry();
  EXPECT_EQ(outstanding(), 0u);
}

TEST_F(OriginCountsTest, SurviveARestart) {
  frontier_->admin().watch_origin(kSeed);
  add({url("http://a.example/1", kSeed), url("http://a.example/2", kSeed)});
  commit();
  reopen();
  EXPECT_EQ(outstanding(), 2u);
  run_dry();
  EXPECT_EQ(outstanding(), 0u);
  frontier_->admin().forget_origin(kSeed);
  commit();
  reopen();
  add({url("http://a.example/3", kSeed)});
  EXPECT_EQ(outstanding(), 0u);
}

TEST_F(OriginCountsTest, FallWithWhatIsDeleted) {
  frontier_->admin().watch_origin(kSeed);
  add({url("http://a.example/1", kSeed), url("http://a.example/2", kSeed)});
  WaitingQuery query;
  query.match = [](const Candidate& candidate) { return candidate.url.ends_with("1"); };
  ASSERT_TRUE(frontier_->admin().erase(query));
  EXPECT_EQ(outstanding(), 1u);
}

TEST_F(OriginCountsTest, CountDeferredLinksAndFallWithThoseOverBudget) {
  options_.hosts_in_memory = 1;
  options_.politeness.host_budget = 2;
  reopen();
  frontier_->admin().watch_origin(kSeed);
  add({url("http://a.example/1", kSeed)});
  add({url("http://b.example/1", kSeed), url("http://b.example/2", kSeed), url("http://b.example/3", kSeed)});
  EXPECT_EQ(outstanding(), 4u);
  ASSERT_TRUE(frontier_->admin().wake("b.example"));
  EXPECT_EQ(outstanding(), 3u);
}

TEST_F(OriginCountsTest, ARetryStaysOutstanding) {
  options_.obey_robots = false;
  reopen();
  frontier_->admin().watch_origin(kSeed);
  add({url("http://a.example/1", kSeed)});
  settle(*next_whenever());
  Disposition failed;
  failed.lease = *next_whenever();
  failed.verdict = Verdict::retry_url;
  frontier_->finish(failed);
  EXPECT_EQ(outstanding(), 1u);
}

}  // namespace
}  // namespace caddis::frontier
