#include "caddis/harvest/job_splitter.h"

#include <gtest/gtest.h>

namespace caddis::harvest {
namespace {

Candidate candidate(int64_t id, int64_t expected, Limits limits = {}) {
  Candidate one;
  one.configuration = one.domain = id;
  one.domain_name = "d" + std::to_string(id) + ".example";
  one.template_id = 1;
  one.template_name = "default";
  one.limits = limits;
  one.expected = expected;
  return one;
}

// The numbers of the configurations of each job.
std::vector<std::vector<int64_t>> split(std::vector<Candidate> candidates, SplitSettings settings = {},
                                        Limits harvest = {}) {
  std::vector<std::vector<int64_t>> jobs;
  sort_candidates(candidates, harvest);
  JobSplitter splitter(settings, harvest, [&](JobPlan plan) -> Result<void> {
    auto& job = jobs.emplace_back();
    for (const Candidate& member : plan.members) job.push_back(member.configuration);
    return {};
  });
  for (Candidate& one : candidates) EXPECT_TRUE(splitter.add(std::move(one)));
  EXPECT_TRUE(splitter.finish());
  return jobs;
}

using Jobs = std::vector<std::vector<int64_t>>;

TEST(JobSplitter, PutsLikeConfigurationsTogetherTheLargestFirst) {
  EXPECT_EQ(split({candidate(1, 10), candidate(2, 30), candidate(3, 20)}), (Jobs{{2, 3, 1}}));
  EXPECT_EQ(split({}), Jobs());
}

TEST(JobSplitter, HasEachDomainOnce) {
  auto twice = candidate(2, 10);
  twice.domain = 1;
  EXPECT_EQ(split({candidate(1, 10), twice}), (Jobs{{1}, {2}}));
}

TEST(JobSplitter, HasSoManyConfigurationsAtMost) {
  EXPECT_EQ(split({candidate(1, 10), candidate(2, 10), candidate(3, 10)}, {.most_configurations = 2}),
            (Jobs{{1, 2}, {3}}));
}

TEST(JobSplitter, HasOneTemplateAndOneKindOfOverrides) {
  auto other = candidate(2, 10);
  other.template_id = 2;
  other.template_name = "another";
  auto overridden = candidate(3, 10);
  overridden.overrides = "scope: {max-hops: 3}";
  EXPECT_EQ(split({candidate(1, 10), other, overridden}), (Jobs{{2}, {1}, {3}}));
}

TEST(JobSplitter, TakesHigherByteLimitsThanTheHarvestsAndNoLowerOnes) {
  const Limits harvest{kNoLimit, 1000};
  EXPECT_EQ(
      split({candidate(1, 10, {kNoLimit, 5000}), candidate(2, 10), candidate(3, 10, {kNoLimit, 500})}, {}, harvest),
      (Jobs{{1, 2}, {3}}));
}

TEST(JobSplitter, HasOneByteLimitIfConfigurationsSetIt) {
  EXPECT_EQ(
      split({candidate(1, 10, {kNoLimit, 500}), candidate(2, 10, {kNoLimit, 900}), candidate(3, 10, {kNoLimit, 500})}),
      (Jobs{{2}, {1, 3}}));
}

TEST(JobSplitter, DividesByObjectsIfAsked) {
  const std::vector<Candidate> both = {candidate(1, 10, {50, kNoLimit}), candidate(2, 10, {90, kNoLimit})};
  EXPECT_EQ(split(both), (Jobs{{1, 2}}));
  EXPECT_EQ(split(both, {.by_object_limit = true}), (Jobs{{1}, {2}}));
}

TEST(JobSplitter, ExpectsSoManyObjectsAtMost) {
  EXPECT_EQ(split({candidate(1, 60), candidate(2, 50), candidate(3, 40)}, {.most_expected = 100}), (Jobs{{1}, {2, 3}}));
  // One that is too large alone gets a job all the same.
  EXPECT_EQ(split({candidate(1, 600)}, {.most_expected = 100}), (Jobs{{1}}));
}

TEST(JobSplitter, KeepsSizesTogether) {
  EXPECT_EQ(split({candidate(1, 500'000), candidate(2, 5'000), candidate(3, 4'999)}), (Jobs{{1, 2}, {3}}));
  // Small ones do not count as different, whatever the factor.
  EXPECT_EQ(split({candidate(1, 2'000), candidate(2, 0)}), (Jobs{{1, 2}}));
  EXPECT_EQ(split({candidate(1, 2'001), candidate(2, 0)}), (Jobs{{1}, {2}}));
}

TEST(JobSplitter, LeavesOutWhatMayFetchNothing) {
  EXPECT_EQ(split({candidate(1, 0, {0, kNoLimit}), candidate(2, 10)}, {.leave_out_zero_budget = true}), (Jobs{{2}}));
}

}  // namespace
}  // namespace caddis::harvest
