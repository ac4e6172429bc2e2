#include "caddis/harvest/jobs.h"

#include <gmock/gmock.h>

#include <set>
#include <thread>

#include "caddis/harvest/job_files.h"
#include "caddis/harvest/testing.h"

namespace caddis::harvest {
namespace {

using sql::Connection;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

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
  std::string hear(const std::string& harvester, int64_t id) {
    return got([&](Connection& c) { return hear_of_job(c, id, harvester, true, "{}", now()); });
  }
  int64_t start(const std::string& harvester) {
    const int64_t id = take(harvester)->id;
    hear(harvester, id);
    return id;
  }
  std::vector<std::string> look_after(int64_t silence, int64_t longest) {
    return got([&](Connection& c) { return end_lost_jobs(c, silence, longest, 0, false, edit()); });
  }
  void end(const std::string& exit, int64_t id, int64_t objects) {
    JobEnd given;
    given.is_done = true;
    given.exit = exit;
    given.command = "caddis";
    for (int i = 0; i < 2; ++i)
      given.results.push_back({"d" + std::to_string(i) + ".example", objects, objects, StopReason::unfinished});
    done([&](Connection& c) { return end_job(c, id, given, StopReason::unfinished, now()); });
  }
};
CADDIS_ON_BOTH_DATABASES(Jobs);

TEST(JobState, ChangesInOneDirection) {
  EXPECT_TRUE(may_follow(JobState::created, JobState::submitted));
  EXPECT_TRUE(may_follow(JobState::created, JobState::failed));
  EXPECT_FALSE(may_follow(JobState::started, JobState::submitted));
  EXPECT_FALSE(may_follow(JobState::done, JobState::started));
  for (const JobState state : {JobState::submitted, JobState::started, JobState::done, JobState::resubmitted})
    EXPECT_FALSE(may_follow(state, JobState::failed_rejected));
  EXPECT_FALSE(may_follow(JobState::done, JobState::failed));
  EXPECT_FALSE(may_follow(JobState::resubmitted, JobState::failed));
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

TEST_P(Jobs, AreJudgedWhenTheyHaveEnded) {
  make_jobs(1);
  const int64_t id = take("h1")->id;
  const auto judge = [&] { return why([&](Connection& c) { return set_verdict(c, id, "accepted", "", edit()); }); };
  EXPECT_THAT(judge(), HasSubstr("is SUBMITTED: what it brings can be judged when it has ended"));
  EXPECT_EQ(job(id).verdict.first, "");
  done([&](Connection& c) { return set_state(c, id, JobState::failed, "no", edit()); });
  EXPECT_EQ(judge(), "it did not fail");
}

// As those that were imported.
TEST_P(Jobs, WithoutSettingsOfACrawlAreNotTakenUp) {
  make_jobs(1);
  const int64_t id = run_next({}, false);
  done([&](Connection& c) { return c.execute("DELETE FROM job_files WHERE name = 'crawl.yaml'"); });
  EXPECT_THAT(why([&](Connection& c) { return resubmit_job(c, id, edit()); }),
              HasSubstr("imported from NetarchiveSuite: activate its harvest"));
  EXPECT_EQ(job(id).state, JobState::failed);
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

TEST_P(Jobs, ThatRunTooLongAreStoppedAndHandedOver) {
  make_jobs(2);
  const int64_t cut = start("h1"), whole = start("h2");
  clock.advance(std::chrono::minutes(60));
  hear("h1", cut);
  hear("h2", whole);
  EXPECT_THAT(look_after(1800, 3000), ElementsAre(HasSubstr("is to stop"), HasSubstr("is to stop")));
  EXPECT_EQ(job(cut).state, JobState::started);
  EXPECT_EQ(hear("h1", cut), "stop");
  EXPECT_THAT(look_after(1800, 3000), IsEmpty()) << "it is told once";
  end("ABORTED", cut, 4);
  EXPECT_EQ(job(cut).state, JobState::failed);
  EXPECT_THAT(job(cut).errors.harvest, HasSubstr("longer than 50m"));
  EXPECT_EQ(job(cut).objects, 4);
  end("FINISHED", whole, 5);
  EXPECT_EQ(job(whole).state, JobState::done) << "it had ended before it was told to";
  EXPECT_EQ(job(whole).errors.harvest, "");
}

TEST_P(Jobs, ThatDoNotStopForADayHaveFailed) {
  make_jobs(1);
  const int64_t id = start("h1");
  clock.advance(std::chrono::hours(2));
  hear("h1", id);
  EXPECT_EQ(look_after(1800, 3600).size(), 1u);
  clock.advance(std::chrono::hours(24));
  hear("h1", id);
  EXPECT_THAT(look_after(1800, 3600), ElementsAre(HasSubstr("longer than 1h")));
  EXPECT_EQ(job(id).state, JobState::failed);
}

TEST_P(Jobs, ThatWereGivenUpTakeWhatTheirHarvesterBrings) {
  make_jobs(1);
  const int64_t id = start("h1");
  clock.advance(std::chrono::minutes(31));
  EXPECT_EQ(look_after(1800, 0).size(), 1u);
  EXPECT_THAT(job(id).errors.harvest_details, HasSubstr("with harvester h1, in jobs/"));
  EXPECT_TRUE(takes_delivery(job(id), "h1"));
  EXPECT_FALSE(takes_delivery(job(id), "h2"));
  end("ABORTED", id, 7);
  const Job late = job(id);
  EXPECT_EQ(late.state, JobState::failed);
  EXPECT_THAT(late.errors.harvest, HasSubstr("nothing was heard"));
  EXPECT_THAT(late.errors.harvest_details, HasSubstr("h1 has handed over files and results afterwards"));
  EXPECT_EQ(late.objects, 7);
  EXPECT_EQ(late.command, "caddis");
  end("ABORTED", id, 9);
  EXPECT_EQ(job(id).objects, 7) << "once";
  ResultQuery query;
  query.domain = "d0.example";
  const auto results = got([&](Connection& c) { return list_results(c, query); });
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].objects, 7);
}

TEST_P(Jobs, ThatAnotherHasTakenUpTakeNoFiles) {
  make_jobs(1);
  const int64_t id = start("h1");
  clock.advance(std::chrono::minutes(31));
  EXPECT_EQ(look_after(1800, 0).size(), 1u);
  got([&](Connection& c) { return resubmit_job(c, id, edit()); });
  EXPECT_FALSE(takes_delivery(job(id), "h1"));
  JobEnd left;
  left.exit = "ABORTED";
  left.errors.upload = "the files stay with the harvester";
  left.errors.upload_details = "they are in /data/oldjobs/1";
  left.results = {{"d0.example", 3, 300, StopReason::unfinished}};
  done([&](Connection& c) { return end_job(c, id, left, StopReason::unfinished, now()); });
  EXPECT_EQ(job(id).state, JobState::resubmitted);
  EXPECT_EQ(job(id).objects, 0);
  EXPECT_EQ(job(id).errors.upload_details, "they are in /data/oldjobs/1");
  EXPECT_EQ(job(id).errors.harvest_details, "") << "that the files were elsewhere before";
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
