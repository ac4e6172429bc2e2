// The description of NetarchiveSuite's harvester (3.10), sentence by sentence where it can be tried here: its words stand above
// what shows them. Crawls and deaths are tests/e2e/harvest_test.py.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/harvest/job_splitter.h"
#include "caddis/harvest/templates.h"
#include "caddis/harvest/testing.h"

namespace caddis::harvest {
namespace {

using sql::Connection;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class Description : public ArchiveTest {
 protected:
  void snapshot(const std::string& name, int64_t bytes, const std::string& based_on = "") {
    Definition one;
    one.name = name;
    one.kind = "snapshot";
    one.limits.bytes = bytes;
    one.based_on = based_on;
    define(one);
    activate_now(name);
  }
  std::vector<std::string> domains_of(int64_t job) {
    std::vector<std::string> names;
    done([&](Connection& c) {
      return c.each(
          "SELECT d.name FROM job_configurations m JOIN domains d ON d.id = m.domain_id WHERE m.job_id = ? "
          "ORDER BY d.name",
          sql::Values(job), [&](const sql::Row& row) { names.push_back(row.text(0)); });
    });
    return names;
  }
  std::string reason_of(const std::string& harvest, const std::string& domain) {
    ResultQuery query;
    query.definition = harvest;
    query.domain = domain;
    const auto results = got([&](Connection& c) { return list_results(c, query); });
    return results.empty() ? "none" : std::string(name_of(results.back().reason));
  }
};
CADDIS_ON_BOTH_DATABASES(Description);

// "New domains are created with a single configuration, a single seedlist containing http://www.<domain> as its only seed, and
// a limit on number of bytes to download."
TEST_P(Description, NewDomains) {
  create({"new.example"});
  const Domain one = domain("new.example");
  ASSERT_EQ(one.configurations.size(), 1u);
  ASSERT_EQ(one.seed_lists.size(), 1u);
  EXPECT_EQ(one.seed_lists[0].seeds, "http://www.new.example");
  EXPECT_GT(one.configurations[0].limits.bytes, 0);
}

// "NetarchiveSuite comes with four schedules, repeating respectively hourly, daily, weekly and monthly."
TEST_P(Description, FourSchedules) {
  std::vector<std::string> names;
  for (const NamedSchedule& one : got([](Connection& c) { return list_schedules(c); })) names.push_back(one.name);
  EXPECT_THAT(names, UnorderedElementsAre("hourly", "daily", "weekly", "monthly"));
}

// "… verifies that certain elements - later modified programmatically - exist in the template."
TEST_P(Description, TemplatesAreVerified) {
  Template one;
  one.name = "order";
  one.source = "<beans></beans>";
  EXPECT_THAT(why([&](Connection& c) { return save_template(c, one, edit()); }), HasSubstr("no beans"));
}

// Three harvests: a snapshot with a low limit, a second one based on it, and a third.
// "A FilterIterator weeds out configurations in a snapshot harvest whose domains either are marked as aliases or were completely
// harvested in the snapshot harvest that the current snapshot harvest is based on."
// Stop reasons: "completed (no more objects found), object-limit …, size-limit (hit maximum allowed number of bytes, as
// specified by the harvest), config-size-limit (…, as specified by the configuration), and unfinished".
TEST_P(Description, ThreeSnapshotsAndTheirStopReasons) {
  create({"small.example", "middle.example", "large.example", "own.example", "broken.example", "alias.example"});
  Domain own = domain("own.example");
  own.configurations[0].limits.bytes = 5000;
  save(own);
  Domain alias = domain("alias.example");
  alias.alias_of = "small.example";
  save(alias);
  const auto run_all = [&](const std::vector<DomainResult>& results) {
    // Each delivers a digest index, against which later jobs are deduplicated.
    while (const int64_t id = run_next(results))
      done([&](Connection& c) {
        return record_file(c, {id, std::to_string(id) + ".digests", "digests", 10, "00"}, now());
      });
  };
  snapshot("first", 10'000);
  ASSERT_TRUE(generate("first").value());
  run_all({{"small.example", 10, 900, StopReason::completed},
           {"middle.example", 40, 10'000, StopReason::size_limit},
           {"large.example", 40, 10'000, StopReason::size_limit},
           {"own.example", 20, 5000, StopReason::size_limit},
           {"broken.example", 3, 50, StopReason::unfinished}});
  EXPECT_EQ(reason_of("first", "small.example"), "completed");
  EXPECT_EQ(reason_of("first", "middle.example"), "size-limit");
  EXPECT_EQ(reason_of("first", "own.example"), "config-size-limit");
  EXPECT_EQ(reason_of("first", "broken.example"), "unfinished");
  EXPECT_EQ(reason_of("first", "alias.example"), "none");

  snapshot("second", 100'000, "first");
  ASSERT_TRUE(generate("second").value());
  ASSERT_EQ(jobs("second").size(), 1u);
  EXPECT_THAT(domains_of(jobs("second")[0].id), ElementsAre("large.example", "middle.example"));
  run_all({{"middle.example", 200, 40'000, StopReason::completed},
           {"large.example", 300, 100'000, StopReason::object_limit}});
  EXPECT_EQ(reason_of("second", "large.example"), "object-limit");

  snapshot("third", 1'000'000, "second");
  ASSERT_TRUE(generate("third").value());
  ASSERT_EQ(jobs("third").size(), 1u);
  EXPECT_THAT(domains_of(jobs("third")[0].id), ElementsAre("large.example"));
  // "a listing of the job IDs that should be used to get the deduplication index": those of the chain.
  const std::string earlier = file(jobs("third")[0].id, "duplicatereductionjobs.txt");
  for (const char* harvest : {"first", "second"})
    for (const Job& job : jobs(harvest)) EXPECT_THAT(earlier, HasSubstr(std::to_string(job.id)));
  // "a listing of the aliases that were used in the job creation".
  bool tells_alias = false;
  for (const Job& job : jobs("first")) {
    const auto names = got([&](Connection& c) { return job_file_names(c, job.id); });
    if (std::ranges::count(names, "aliases.txt") > 0)
      tells_alias = tells_alias || file(job.id, "aliases.txt") == "alias.example small.example\n";
  }
  EXPECT_TRUE(tells_alias);
}

// "Note that the execution time is updated regardless of whether the jobs are actually successfull, or even have been run.
// Additionally, the counter of number of runs is updated."
TEST_P(Description, NextDateWhateverBecomesOfTheJobs) {
  create({"a.example"});
  Definition one;
  one.name = "hourly";
  one.kind = "selective";
  one.schedule = "hourly";
  define(one);
  done([&](Connection& c) -> Result<void> {
    TRY_VOID(add_configurations(c, "hourly", {{"a.example", ""}}, {}, edit()));
    return {};
  });
  activate_now("hourly");
  ASSERT_TRUE(generate("hourly").value());
  const int64_t next = *definition("hourly").next_run;
  EXPECT_EQ(next, now() + 3600);
  EXPECT_EQ(definition("hourly").runs, 1);
  run_next({}, false);
  EXPECT_EQ(definition("hourly").next_run, next);
  clock.advance(std::chrono::hours(1));
  ASSERT_TRUE(generate("hourly").value());
  EXPECT_EQ(jobs("hourly").size(), 2u);
}

// "If there are any errors in the scheduling process, including the creation of jobs, the harvest is deactivated to prevent the
// system from being overloaded with broken scheduling attempts."
TEST_P(Description, FaultyHarvestIsDeactivated) {
  create({"a.example"});
  snapshot("broken", 1000);
  done([](Connection& c) { return c.execute("UPDATE templates SET is_active = 0"); });
  EXPECT_FALSE(generate("broken"));
  EXPECT_FALSE(definition("broken").is_active);
  EXPECT_THAT(definition("broken").problem, HasSubstr("switched off"));
}

// "At the same time, the job is set to status 'Submitted' …", "… can be put in state 'Started'", "we assume that any messages
// about jobs in state "Submitted" are lost after a restart, and they are therefore automatically resubmitted": here a job is
// when nothing was heard of its harvester.
TEST_P(Description, StatesOfAJob) {
  create({"a.example"});
  snapshot("all", 1000);
  ASSERT_TRUE(generate("all").value());
  const int64_t id = jobs("all")[0].id;
  const auto state = [&](int64_t job) {
    return std::string(name_of(got([&](Connection& c) { return find_job(c, job); }).state));
  };
  EXPECT_EQ(state(id), "NEW");
  EXPECT_TRUE(got([&](Connection& c) { return take_job(c, "h1", {"SNAPSHOT"}, now()); }));
  EXPECT_EQ(state(id), "SUBMITTED");
  // "remember that JMS guarantees exactly-once delivery for queues"
  EXPECT_FALSE(got([&](Connection& c) { return take_job(c, "h2", {"SNAPSHOT"}, now()); }));
  clock.advance(std::chrono::hours(1));
  got([&](Connection& c) { return end_lost_jobs(c, 1800, 0, 0, false, edit()); });
  EXPECT_EQ(state(id), "RESUBMITTED");
  const auto again = got([&](Connection& c) { return take_job(c, "h2", {"SNAPSHOT"}, now()); });
  ASSERT_TRUE(again);
  done([&](Connection& c) -> Result<void> {
    TRY_VOID(hear_of_job(c, again->id, "h2", true, "{}", now()));
    return {};
  });
  EXPECT_EQ(state(again->id), "STARTED");
}

// "expectations within a job differ by a factor 100, not just 100%", "if the absolute difference … is less than the
// .minAbsoluteSizeDifference setting, the relative difference is ignored."
TEST(DescriptionOfSplitting, SizesOfOneJob) {
  const auto jobs_of = [](std::vector<int64_t> sizes) {
    size_t jobs = 0;
    JobSplitter splitter({}, {}, [&](JobPlan) -> Result<void> {
      ++jobs;
      return {};
    });
    for (size_t i = 0; i < sizes.size(); ++i) {
      Candidate one;
      one.configuration = one.domain = static_cast<int64_t>(i) + 1;
      one.template_id = 1;
      one.expected = sizes[i];
      EXPECT_TRUE(splitter.add(one));
    }
    EXPECT_TRUE(splitter.finish());
    return jobs;
  };
  EXPECT_EQ(jobs_of({50'000, 500}), 1u);           // a factor of 100
  EXPECT_EQ(jobs_of({50'600, 500}), 2u);           // of 101
  EXPECT_EQ(jobs_of({2000, 1}), 1u);               // a difference of fewer than 2,000
  EXPECT_EQ(jobs_of({8'000'000, 8'000'000}), 2u);  // "must not exceed the maxTotalSize setting"
}

}  // namespace
}  // namespace caddis::harvest
