// How the frontier answers candidates, one by one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/frontier/frontier_fixture.h"

namespace caddis::frontier {
namespace {

using ::testing::ElementsAre;
using Answer = ScheduleAnswer;

class ScheduleTest : public FrontierTest {
 protected:
  std::vector<Answer> answers(std::vector<ScheduledUrl> urls) { return frontier_->schedule(std::move(urls))->answers; }
};

TEST_F(ScheduleTest, NewOnesAreAcceptedAndOthersDuplicates) {
  EXPECT_THAT(answers({scheduled("http://a.example/1", "L"), scheduled("http://a.example/1", "L"),
                       scheduled("http://a.example/2", "L")}),
              ElementsAre(Answer::accepted, Answer::duplicate, Answer::accepted));
  EXPECT_THAT(answers({scheduled("http://a.example/2", "L")}), ElementsAre(Answer::duplicate));
}

TEST_F(ScheduleTest, AForcedOneIsAcceptedThoughItIsNotNew) {
  add({scheduled("http://a.example/1", "L")});
  ScheduledUrl forced = scheduled("http://a.example/1", "R");
  forced.candidate.force = true;
  const auto result = frontier_->schedule({forced});
  EXPECT_THAT(result->answers, ElementsAre(Answer::accepted));
  EXPECT_TRUE(result->new_fingerprints.empty());
}

TEST_F(ScheduleTest, TheBudgetOfAHostIsNamed) {
  options_.politeness.host_budget = 2;
  reopen();
  add({scheduled("http://a.example/0", "L")});
  EXPECT_THAT(answers({scheduled("http://a.example/0", "L"), scheduled("http://a.example/1", "L"),
                       scheduled("http://a.example/2", "L"), scheduled("http://a.example/seed")}),
              ElementsAre(Answer::duplicate, Answer::accepted, Answer::host_budget, Answer::accepted));
  EXPECT_EQ(frontier_->stats().over_host_budget, 1u);
  HostOverrides overrides;
  overrides.budget = 10;
  ASSERT_TRUE(frontier_->admin().set_overrides("a.example", overrides));
  EXPECT_THAT(answers({scheduled("http://a.example/2", "L")}), ElementsAre(Answer::accepted))
      << "it was never remembered as seen";
}

TEST_F(ScheduleTest, TheBudgetOfANewHostIsNamed) {
  options_.politeness.host_budget = 2;
  reopen();
  std::vector<ScheduledUrl> urls;
  for (const char* url : {"http://a.example/0", "http://a.example/1", "http://a.example/2", "http://b.example/0"})
    urls.push_back(scheduled(url, "L"));
  EXPECT_THAT(answers(urls), ElementsAre(Answer::accepted, Answer::accepted, Answer::host_budget, Answer::accepted));
  EXPECT_EQ(frontier_->stats().queued, 3u);
}

TEST_F(ScheduleTest, TheHostsOfADomainAreNamed) {
  options_.politeness.domain_hosts = 1;
  reopen();
  add({scheduled("http://one.example.org/", "L")});
  EXPECT_THAT(answers({scheduled("http://two.example.org/", "L"), scheduled("http://one.example.org/1", "L")}),
              ElementsAre(Answer::domain_hosts, Answer::accepted));
}

// The number of a domain's hosts is a row.
TEST_F(ScheduleTest, TheHostsOfADomainAreCountedThroughRestarts) {
  options_.politeness.domain_hosts = 2;
  reopen();
  add({scheduled("http://one.example.org/", "L")});
  add({scheduled("http://example.org/", "L")});  // has the name of the domain, and does not count
  commit();
  reopen();
  EXPECT_THAT(answers({scheduled("http://two.example.org/", "L")}), ElementsAre(Answer::accepted));
  add({scheduled("http://two.example.org/", "L")});
  commit();
  reopen();
  EXPECT_THAT(answers({scheduled("http://three.example.org/", "L"), scheduled("http://one.example.org/1", "L"),
                       scheduled("http://one.example.net/", "L")}),
              ElementsAre(Answer::domain_hosts, Answer::accepted, Answer::accepted));
}

TEST(ScheduleAnswer, HasTheNamesOfReports) {
  EXPECT_EQ(to_string(Answer::host_budget), "host-budget");
  EXPECT_EQ(to_string(Answer::domain_hosts), "domain-hosts");
  EXPECT_EQ(to_string(Answer::stale_pattern), "stale-patterns");
}

}  // namespace
}  // namespace caddis::frontier
