#include "caddis/harvest/jobs.h"

#include <gmock/gmock.h>

#include <set>
#include <thread>

#include "caddis/harvest/job_files.h"
#include "caddis/harvest/testing.h"

namespace caddis::harvest {
namespace {

using sql::Connection;
using ::testing::HasSubstr;

class Jobs : public ArchiveTest {
 protected:
  void make_jobs(int count) {
    std::vector<std::string> names;
    for (int i = 0; i < count; ++i) names.push_back("d" + std::to_string(i) + ".example");
    create(names);
    Definition one;
    one.name = "all";
    one.kind = "snapshot";
    one.limits.bytes = 1000;
    define(one);
    activate_now("all");
    GeneratorSettings settings;
    settings.split.most_configurations = 1;
    ASSERT_TRUE(generate("all", settings).value());
  }
  std::optional<Job> take(const std::string& harvester, const std::string& channel = "SNAPSHOT") {
    return got([&](Connection& c) { return take_job(c, harvester, {channel}, now()); });
  }
  Job job(int64_t id) {
    return got([&](Connection& c) { return find_job(c, id); });
  }
};
CADDIS_ON_BOTH_DATABASES(Jobs);

TEST(JobState, ChangesInOneDirection) {
  EXPECT_TRUE(may_follow(JobState::created, JobState::submitted));
  EXPECT_TRUE(may_follow(JobState::created, JobState::failed));
  EXPECT_FALSE(may_follow(JobState::started, JobState::submitted));
  EXPECT_FALSE(may_follow(JobState::done, JobState::started));
  EXPECT_TRUE(may_follow(JobState::failed, JobState::resubmitted));
  EXPECT_TRUE(may_follow(JobState::failed, JobState::failed_rejected));
  EXPECT_TRUE(may_follow(JobState::failed_rejected, JobState::failed));
  EXPECT_FALSE(may_follow(JobState::failed_rejected, JobState::resubmitted));
  for (const JobState state : {JobState::created, JobState::started, JobState::done})
    EXPECT_FALSE(may_be_resubmitted(state));
  EXPECT_EQ(state_named("FAILED_REJECTED"), JobState::failed_rejected);
  EXPECT_EQ(reason_named("config-size-limit"), StopReason::config_size_limit);
}

TEST_P(Jobs, AreTakenByNumberInTheirChannel) {
  make_jobs(2);
  EXPECT_FALSE(take("h1", "FOCUSED"));
  const auto first = take("h1"), second = take("h2");
  ASSERT_TRUE(first && second);
  EXPECT_LT(first->id, second->id);
  EXPECT_EQ(first->state, JobState::submitted);
  EXPECT_FALSE(take("h3"));
}

TEST_P(Jobs, EachIsTakenByExactlyOneOfManyHarvesters) {
  make_jobs(40);
  std::mutex guard;
  std::multiset<int64_t> taken;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (;;) {
        const auto one =
            database().write([&](Connection& c) { return take_job(c, "h" + std::to_string(i), {"SNAPSHOT"}, now()); });
        if (!one) continue;  // they met too often
        if (!*one) return;
        const std::scoped_lock lock(guard);
        taken.insert((*one)->id);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(taken.size(), 40u);
  EXPECT_EQ(std::set<int64_t>(taken.begin(), taken.end()).size(), 40u);
}

TEST_P(Jobs, AreHeardOfByTheirHarvesterAlone) {
  make_jobs(1);
  const int64_t id = take("h1")->id;
  EXPECT_EQ(got([&](Connection& c) { return hear_of_job(c, id, "h1", true, "{\"documents\":1}", now()); }), "");
  EXPECT_EQ(job(id).state, JobState::started);
  EXPECT_EQ(job(id).latest, "{\"documents\":1}");
  EXPECT_THAT(why([&](Connection& c) { return hear_of_job(c, id, "h2", true, "", now()); }), HasSubstr("not with h2"));
  done([&](Connection& c) { return set_wish(c, id, "pause", edit()); });
  EXPECT_EQ(got([&](Connection& c) { return hear_of_job(c, id, "h1", true, "{}", now()); }), "pause");
}

TEST_P(Jobs, EndOnceWithAResultForEachDomain) {
  make_jobs(1);
  const int64_t id =
      run_next({{"d0.example", 3, 300, StopReason::completed}, {"other.example", 9, 9, StopReason::completed}});
  EXPECT_EQ(job(id).state, JobState::done);
  EXPECT_EQ(job(id).objects, 3);
  EXPECT_EQ(job(id).bytes, 300);
  // A late answer is not believed.
  done([&](Connection& c) { return end_job(c, id, {}, StopReason::unfinished, now()); });
  EXPECT_EQ(job(id).state, JobState::done);
  ResultQuery query;
  query.domain = "d0.example";
  const auto results = got([&](Connection& c) { return list_results(c, query); });
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].objects, 3);
  EXPECT_EQ(results[0].configuration, "defaultconfig");
}

TEST_P(Jobs, ResultsAreReadFromEitherEnd) {
  make_jobs(3);
  while (run_next({}) != 0) continue;
  const auto domains = [&](const ResultQuery& query) {
    std::string names;
    for (const ResultLine& line : got([&](Connection& c) { return list_results(c, query); })) names += line.domain[1];
    return names;
  };
  EXPECT_EQ(domains({}), "012");
  EXPECT_EQ(domains({.limit = 2, .before = 0}), "21");
  const auto latest = got([&](Connection& c) { return list_results(c, {.limit = 2, .before = 0}); });
  EXPECT_EQ(domains({.before = latest.back().id}), "0");
}

TEST_P(Jobs, FailedOnesCanBeTakenUpByAnother) {
  make_jobs(1);
  const int64_t id = run_next({}, false);
  EXPECT_EQ(job(id).state, JobState::failed);
  const int64_t made = got([&](Connection& c) { return resubmit_job(c, id, edit()); });
  EXPECT_EQ(job(id).state, JobState::resubmitted);
  EXPECT_EQ(job(id).resubmitted_as, made);
  EXPECT_EQ(job(made).state, JobState::created);
  EXPECT_EQ(job(made).continues, id);
  EXPECT_EQ(file(made, "seeds.txt"), file(id, "seeds.txt"));
  EXPECT_THAT(file(id, "crawl.yaml"), HasSubstr(file_prefix(id, job(id).definition_id)));
  EXPECT_THAT(file(made, "crawl.yaml"), HasSubstr(file_prefix(made, job(id).definition_id)));
  EXPECT_THAT(file(made, "crawl.yaml"), Not(HasSubstr(file_prefix(id, job(id).definition_id))));
  EXPECT_THAT(why([&](Connection& c) { return resubmit_job(c, id, edit()); }), HasSubstr("RESUBMITTED"));
  EXPECT_EQ(run_next({{"d0.example", 1, 1, StopReason::completed}}), made);
}

TEST_P(Jobs, FailuresCanBeRejectedAndTakenUpAgain) {
  make_jobs(1);
  const int64_t id = run_next({}, false);
  const auto become = [&](JobState state) {
    return why([&](Connection& c) { return set_state(c, id, state, "", edit()); });
  };
  EXPECT_EQ(become(JobState::failed_rejected), "it did not fail");
  EXPECT_THAT(become(JobState::done), HasSubstr("cannot become DONE"));
  EXPECT_EQ(become(JobState::failed), "it did not fail");
}

TEST_P(Jobs, OfWhichNobodyHearsEnd) {
  make_jobs(2);
  const int64_t started = take("h1")->id, submitted = take("h2")->id;
  done([&](Connection& c) -> Result<void> {
    TRY_VOID(hear_of_job(c, started, "h1", true, "{}", now()));
    return {};
  });
  const auto look = [&](int64_t silence, int64_t longest) {
    // A server that answers only since now has missed nothing.
    EXPECT_EQ(got([&](Connection& c) { return end_lost_jobs(c, silence, 0, now(), false, edit()); }).size(), 0u);
    return got([&](Connection& c) { return end_lost_jobs(c, silence, longest, 0, false, edit()); }).size();
  };
  EXPECT_EQ(look(1800, 604'800), 0u);
  clock.advance(std::chrono::minutes(31));
  EXPECT_EQ(look(1800, 604'800), 2u);
  EXPECT_EQ(job(started).state, JobState::failed);
  EXPECT_THAT(job(started).errors.harvest, HasSubstr("h1"));
  EXPECT_EQ(job(submitted).state, JobState::resubmitted);
  EXPECT_EQ(look(1800, 604'800), 0u);
}

TEST_P(Jobs, ThatRunTooLongEnd) {
  make_jobs(1);
  const int64_t id = take("h1")->id;
  for (int i = 0; i < 3; ++i) {
    done([&](Connection& c) -> Result<void> {
      TRY_VOID(hear_of_job(c, id, "h1", true, "{}", now()));
      return {};
    });
    clock.advance(std::chrono::minutes(20));
  }
  EXPECT_EQ(got([&](Connection& c) { return end_lost_jobs(c, 1800, 3000, 0, false, edit()); }).size(), 1u);
  EXPECT_THAT(job(id).errors.harvest, HasSubstr("longer than 50m"));
}

TEST_P(Jobs, TeachTheNextExpectation) {
  make_jobs(1);
  run_next({{"d0.example", 4000, 38'000 * 4000, StopReason::completed}});
  Definition again;
  again.name = "again";
  again.kind = "snapshot";
  again.limits.objects = 14'000;
  define(again);
  activate_now("again");
  ASSERT_TRUE(generate("again").value());
  EXPECT_EQ(jobs("again")[0].shape.expected, 4000 + 10'000 / 10);
}

}  // namespace
}  // namespace caddis::harvest
