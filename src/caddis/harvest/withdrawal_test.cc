#include "caddis/harvest/withdrawal.h"

#include <gmock/gmock.h>

#include "caddis/harvest/testing.h"

namespace caddis::harvest {
namespace {

using sql::Connection;
using ::testing::HasSubstr;

class Withdrawal : public ArchiveTest {
 protected:
  void make_jobs(const std::string& name) {
    GeneratorSettings settings;
    settings.split.most_configurations = 1;
    ASSERT_TRUE(generate(name, settings).value());
  }
  Job job(int64_t id) {
    return got([&](Connection& c) { return find_job(c, id); });
  }
  void withdraw(int64_t id) {
    done([&](Connection& c) { return withdraw_job(c, id, "", edit()); });
  }
};
CADDIS_ON_BOTH_DATABASES(Withdrawal);

TEST_P(Withdrawal, DomainsStayDueInTheNextStep) {
  create({"a.example", "b.example", "c.example"});
  snapshot("step1", {kNoLimit, 1000});
  make_jobs("step1");
  const auto made = jobs("step1");
  ASSERT_EQ(made.size(), 3u);
  withdraw(made[0].id);
  EXPECT_EQ(job(made[0].id).state, JobState::failed_rejected);
  EXPECT_TRUE(job(made[0].id).times.ended);
  EXPECT_THAT(job(made[0].id).errors.harvest, HasSubstr("withdrawn"));
  // One that somebody lets fail before it has begun is no other.
  done([&](Connection& c) { return set_state(c, made[1].id, JobState::failed, "no", edit()); });
  EXPECT_EQ(run_next({}), made[2].id);
  EXPECT_EQ(got([&](Connection& c) { return list_results(c, {}); }).size(), 3u);
  snapshot("step2", {kNoLimit, 5000}, "step1");
  make_jobs("step2");
  const auto next = jobs("step2");
  ASSERT_EQ(next.size(), 2u);
  EXPECT_EQ(file(next[0].id, "seeds.txt") + file(next[1].id, "seeds.txt"),
            "http://www.a.example/\nhttp://www.b.example/\n");
  // It says nothing of how much they bring.
  EXPECT_EQ(next[0].shape.expected, made[0].shape.expected);
}

TEST_P(Withdrawal, IsOfJobsThatWaitAlone) {
  create({"a.example", "b.example"});
  snapshot("all", {kNoLimit, 1000});
  make_jobs("all");
  const auto made = jobs("all");
  got([&](Connection& c) { return take_job(c, "h1", {"SNAPSHOT"}, now()); });
  EXPECT_THAT(why([&](Connection& c) { return withdraw_job(c, made[0].id, "", edit()); }), HasSubstr("is SUBMITTED"));
  EXPECT_EQ(got([&](Connection& c) { return withdraw_jobs(c, "all", 7, 100, edit()); }), 0);
  EXPECT_EQ(got([&](Connection& c) { return withdraw_jobs(c, "all", 0, 100, edit()); }), 1);
  EXPECT_EQ(job(made[0].id).state, JobState::submitted);
  EXPECT_EQ(job(made[1].id).state, JobState::failed_rejected);
}

TEST_P(Withdrawal, FailuresAloneAreRejected) {
  create({"a.example", "b.example"});
  snapshot("all", {kNoLimit, 1000});
  make_jobs("all");
  const int64_t over = run_next({}), runs = jobs("all")[1].id;
  const auto reject = [&](int64_t id) {
    return why([&](Connection& c) { return reject_failure(c, id, "no", edit()); });
  };
  EXPECT_THAT(reject(runs), HasSubstr("is NEW: only a job that has failed"));
  EXPECT_THAT(reject(over), HasSubstr("is DONE"));
  EXPECT_THAT(why([&](Connection& c) { return fail_job(c, over, "", edit()); }), HasSubstr("is DONE"));
  got([&](Connection& c) { return take_job(c, "h1", {"SNAPSHOT"}, now()); });
  done([&](Connection& c) -> Result<void> {
    TRY_VOID(hear_of_job(c, runs, "h1", true, "{}", now()));
    return {};
  });
  EXPECT_THAT(reject(runs), HasSubstr("is STARTED"));
  done([&](Connection& c) { return fail_job(c, runs, "", edit()); });
  EXPECT_EQ(job(runs).errors.harvest, "alice had it fail");
  EXPECT_TRUE(job(runs).times.ended);
  const int64_t again = got([&](Connection& c) { return resubmit_job(c, runs, edit()); });
  EXPECT_THAT(reject(runs), HasSubstr("is RESUBMITTED"));
  done([&](Connection& c) { return fail_job(c, again, "the site is closed", edit()); });
  EXPECT_EQ(reject(again), "it did not fail");
  EXPECT_EQ(job(again).state, JobState::failed_rejected);
}

TEST_P(Withdrawal, JobThatRanAndWasMadeToFailHasResults) {
  create({"a.example"});
  snapshot("all", {kNoLimit, 1000});
  make_jobs("all");
  const int64_t id = jobs("all")[0].id;
  got([&](Connection& c) { return take_job(c, "h1", {"SNAPSHOT"}, now()); });
  done([&](Connection& c) -> Result<void> {
    TRY_VOID(hear_of_job(c, id, "h1", true, "{}", now()));
    return fail_job(c, id, "", edit());
  });
  const auto only_result = [&] {
    const auto results = got([&](Connection& c) { return list_results(c, {}); });
    EXPECT_EQ(results.size(), 1u);
    return results.empty() ? ResultLine() : results[0];
  };
  EXPECT_EQ(only_result().domain, "a.example");
  EXPECT_EQ(only_result().reason, StopReason::unfinished);
  // Its harvester brings what there is.
  JobEnd late;
  late.exit = "ABORTED";
  late.by = "h1";
  late.results = {{"a.example", 3, 300, StopReason::size_limit}};
  done([&](Connection& c) { return end_job(c, id, late, StopReason::unfinished, now()); });
  EXPECT_EQ(only_result().objects, 3);
  EXPECT_EQ(only_result().reason, StopReason::size_limit);
}

TEST_P(Withdrawal, CanBeTakenBack) {
  create({"a.example"});
  snapshot("all", {kNoLimit, 1000});
  make_jobs("all");
  const int64_t id = jobs("all")[0].id;
  EXPECT_THAT(why([&](Connection& c) { return reopen_failure(c, id, edit()); }), HasSubstr("is NEW"));
  withdraw(id);
  done([&](Connection& c) { return reopen_failure(c, id, edit()); });
  EXPECT_EQ(job(id).state, JobState::failed);
  const int64_t again = got([&](Connection& c) { return resubmit_job(c, id, edit()); });
  EXPECT_EQ(run_next({{"a.example", 3, 300, StopReason::completed}}), again);
  const auto results = got([&](Connection& c) { return list_results(c, {}); });
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[1].reason, StopReason::completed);
}

}  // namespace
}  // namespace caddis::harvest
