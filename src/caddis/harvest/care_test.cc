// Jobs that are handed over, questions to crawls, limits changed while they run, patches, and copies of files.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "caddis/harvest/copies.h"
#include "caddis/harvest/handover.h"
#include "caddis/harvest/job_files.h"
#include "caddis/harvest/live_settings.h"
#include "caddis/harvest/patch.h"
#include "caddis/harvest/questions.h"
#include "caddis/harvest/testing.h"

namespace caddis::harvest {
namespace {

using sql::Connection;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class Care : public ArchiveTest {
 protected:
  void make_job(const Limits& limits = {kNoLimit, 1000}, const std::string& traps = "") {
    create({"a.example"});
    Definition one;
    one.name = "all";
    one.kind = "snapshot";
    one.limits = limits;
    one.traps = traps;
    define(one);
    activate_now("all");
    ASSERT_TRUE(generate("all").value());
  }
  int64_t started_by(const std::string& harvester) {
    const auto job = got([&](Connection& c) { return take_job(c, harvester, {"SNAPSHOT"}, now()); });
    if (!job) return 0;
    hear(job->id, harvester);
    return job->id;
  }
  void hear(int64_t id, const std::string& harvester) {
    done([&](Connection& c) -> Result<void> {
      TRY_VOID(hear_of_job(c, id, harvester, true, "{}", now()));
      return {};
    });
  }
  Job job(int64_t id) {
    return got([&](Connection& c) { return find_job(c, id); });
  }
  size_t look() {
    return got([&](Connection& c) { return end_lost_jobs(c, 1800, 0, 0, true, edit()); }).size();
  }
  std::optional<Job> take_over(const std::string& harvester) {
    return got([&](Connection& c) { return take_over_job(c, harvester, {"SNAPSHOT"}, now()); });
  }
};
CADDIS_ON_BOTH_DATABASES(Care);

TEST_P(Care, JobThatWasGivenUpAfterTwoHarvestersIsTakenFromTheLastOne) {
  make_job();
  const int64_t id = started_by("h1");
  clock.advance(std::chrono::minutes(31));
  EXPECT_EQ(look(), 1u);
  ASSERT_TRUE(take_over("h2"));
  hear(id, "h2");
  clock.advance(std::chrono::minutes(31));
  EXPECT_EQ(look(), 1u);
  clock.advance(std::chrono::minutes(31));
  EXPECT_EQ(look(), 1u);
  ASSERT_EQ(job(id).state, JobState::failed);
  EXPECT_TRUE(takes_delivery(job(id), "h2"));
  EXPECT_TRUE(takes_delivery(job(id), "h1")) << "the files lie in its folder";
  EXPECT_FALSE(takes_delivery(job(id), "h3"));
  done([&](Connection& c) {
    JobEnd end;
    end.is_done = true;
    end.exit = "ABORTED";
    end.by = "h2";
    end.results = {{"a.example", 3, 300, StopReason::unfinished}};
    return end_job(c, id, end, StopReason::unfinished, now());
  });
  EXPECT_EQ(job(id).state, JobState::failed);
  EXPECT_EQ(job(id).harvester, "h2");
  EXPECT_EQ(job(id).objects, 3);
  EXPECT_FALSE(takes_delivery(job(id), "h1"));
}

TEST_P(Care, JobOfALostHarvesterIsTakenOverByAnother) {
  make_job();
  const int64_t id = started_by("h1");
  EXPECT_FALSE(take_over("h2"));
  clock.advance(std::chrono::minutes(31));
  EXPECT_EQ(look(), 1u);
  EXPECT_EQ(job(id).state, JobState::started);
  EXPECT_EQ(job(id).harvester, "");
  EXPECT_EQ(job(id).care.left_by, "h1");
  const auto taken = take_over("h2");
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->harvester, "h2");
  EXPECT_FALSE(take_over("h3"));
  hear(id, "h2");
  EXPECT_THAT(why([&](Connection& c) { return hear_of_job(c, id, "h1", true, "{}", now()); }),
              HasSubstr("not with h1"));
  done([&](Connection& c) {
    JobEnd end;
    end.is_done = true;
    end.results = {{"a.example", 3, 300, StopReason::completed}};
    return end_job(c, id, end, StopReason::completed, now());
  });
  EXPECT_EQ(job(id).state, JobState::done);
  EXPECT_EQ(job(id).objects, 3);
}

TEST_P(Care, JobThatIsLostTwiceStaysInItsFirstFolder) {
  make_job();
  const int64_t id = started_by("h1");
  for (const std::string next : {"h2", "h3"}) {
    clock.advance(std::chrono::minutes(31));
    EXPECT_EQ(look(), 1u);
    const auto taken = take_over(next);
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->harvester, next);
    EXPECT_EQ(taken->care.left_by, "h1");
  }
  // One that is back goes on, and the folder is still that of the first.
  clock.advance(std::chrono::minutes(31));
  EXPECT_EQ(look(), 1u);
  hear(id, "h3");
  EXPECT_EQ(job(id).harvester, "h3");
  EXPECT_EQ(job(id).care.left_by, "h1");
}

TEST_P(Care, HarvesterThatWorksInSilenceIsNotLost) {
  make_job();
  const int64_t id = started_by("h1");
  const auto work = [&](const std::string& harvester) {
    clock.advance(std::chrono::minutes(20));
    done([&](Connection& c) { return hear_of_work(c, harvester, now()); });
  };
  work("h1");
  work("h1");
  EXPECT_EQ(look(), 0u);
  work("h2");
  work("h2");
  EXPECT_EQ(look(), 1u);
  EXPECT_EQ(job(id).care.left_by, "h1");
}

TEST_P(Care, HarvesterIsSeenByAllThatItSaysOfItsWork) {
  make_job();
  const int64_t id = started_by("h1");
  for (const std::string name : {"h1", "h2"})
    done([&](Connection& c) { return hear_of_harvester(c, {.name = name, .channels = {"SNAPSHOT"}}, now()); });
  const auto silence = [&](size_t which) {
    return now() - got([&](Connection& c) { return list_harvesters(c); }).at(which).seen;
  };
  clock.advance(std::chrono::minutes(20));
  done([&](Connection& c) { return hear_of_work(c, "h1", now()); });
  EXPECT_EQ(silence(0), 0);
  EXPECT_EQ(silence(1), 1200);
  clock.advance(std::chrono::minutes(20));
  hear(id, "h1");
  EXPECT_EQ(silence(0), 0);
  EXPECT_EQ(silence(1), 2400);
}

TEST_P(Care, HarvesterThatIsBackInTimeKeepsItsJob) {
  make_job();
  const int64_t id = started_by("h1");
  clock.advance(std::chrono::minutes(31));
  EXPECT_EQ(look(), 1u);
  hear(id, "h1");
  EXPECT_EQ(job(id).harvester, "h1");
  EXPECT_EQ(job(id).care.left_by, "");
  EXPECT_FALSE(take_over("h2"));
}

TEST_P(Care, JobThatNobodyCanTakeOverFailsWithTheReason) {
  make_job();
  const int64_t id = started_by("h1");
  clock.advance(std::chrono::minutes(31));
  EXPECT_EQ(look(), 1u);
  ASSERT_TRUE(take_over("h2"));
  done([&](Connection& c) { return give_back_job(c, id, "h2", "h2 does not reach /mnt/h1/jobs/1", now()); });
  EXPECT_FALSE(take_over("h2"));  // at once
  clock.advance(std::chrono::minutes(20));
  EXPECT_EQ(look(), 0u);
  EXPECT_TRUE(take_over("h2"));
  done([&](Connection& c) { return give_back_job(c, id, "h2", "h2 does not reach /mnt/h1/jobs/1", now()); });
  clock.advance(std::chrono::minutes(11));
  EXPECT_EQ(look(), 1u);
  EXPECT_EQ(job(id).state, JobState::failed);
  EXPECT_EQ(job(id).errors.harvest,
            "harvester h1 was lost, and no other has taken the job over: h2 does not reach /mnt/h1/jobs/1");
}

TEST_P(Care, LimitsOfARunningJobAreChanged) {
  make_job();
  const int64_t id = started_by("h1");
  const auto set = [&](const Limits& limits, int64_t seconds) {
    return why([&](Connection& c) { return set_limits(c, id, limits, seconds, edit()); });
  };
  EXPECT_EQ(set({50, 200'000}, 60), "it did not fail");
  const JobWishes wishes = got([&](Connection& c) { return wishes_for(c, id, "h1", now()); });
  EXPECT_EQ(wishes.settings, "quota.seed-domain-successes=50\nquota.seed-domain-bytes=200000\nlimits.max-time=60s\n");
  EXPECT_EQ(job(id).shape.limits.bytes, 200'000);
  EXPECT_THAT(set({0, kNoLimit}, 0), HasSubstr("from 1 on"));
  EXPECT_THAT(why([&](Connection& c) { return wishes_for(c, id, "h2", now()); }), HasSubstr("not with h2"));
  // A limit that is reached afterwards is one of the harvest's, since people have set it.
  done([&](Connection& c) {
    JobEnd end;
    end.is_done = true;
    end.results = {{"a.example", 50, 300, StopReason::object_limit}};
    return end_job(c, id, end, StopReason::completed, now());
  });
  ResultQuery query;
  EXPECT_EQ(got([&](Connection& c) { return list_results(c, query); })[0].reason, StopReason::object_limit);
  EXPECT_THAT(set({50, kNoLimit}, 0), HasSubstr("does not run"));
}

TEST_P(Care, TrapsAreAddedToARunningJob) {
  make_job({kNoLimit, 1000}, ".*endless.*");
  const int64_t id = started_by("h1");
  const auto add = [&](std::string_view traps) {
    return got([&](Connection& c) { return add_traps(c, id, traps, edit()); });
  };
  const auto live = [&] { return job(id).care.live_settings; };
  EXPECT_EQ(add(".*/calendar/.*\n.*session=.*"), 2);
  EXPECT_EQ(add(".*/calendar/.*"), 0);
  EXPECT_THAT(live(), HasSubstr("calendar"));
  EXPECT_THAT(live(), HasSubstr("scope.exclude=endless\n")) << "the job's own, which live settings replace";
  EXPECT_FALSE(has_live_limits(job(id)));
  EXPECT_EQ(why([&](Connection& c) { return set_limits(c, id, {50, kNoLimit}, 0, edit()); }), "it did not fail");
  EXPECT_TRUE(has_live_limits(job(id)));
  EXPECT_EQ(add(".*/shop/.*"), 1);
  EXPECT_EQ(std::ranges::count(live(), '\n'), 7) << live();
  EXPECT_THAT(live(), HasSubstr("quota.seed-domain-successes=50\n"));
  EXPECT_THAT(why([&](Connection& c) { return add_traps(c, id, "(", edit()); }), HasSubstr("("));
}

TEST_P(Care, TrapsThatWereAddedAreListedAndTakenBack) {
  make_job({kNoLimit, 1000}, ".*endless.*");
  const int64_t id = started_by("h1");
  const auto add = [&](int64_t to, std::string_view traps) {
    return got([&](Connection& c) { return add_traps(c, to, traps, edit()); });
  };
  const auto take_back = [&](int64_t from, std::string_view expressions) {
    return got([&](Connection& c) { return take_back_traps(c, from, expressions, edit()); });
  };
  const auto told = [&](int64_t of) {
    std::string text;
    for (const JobTrap& one : got([&](Connection& c) { return traps_of(c, of); }))
      text +=
          fmt::format("{}{} ", one.expression, one.was_added ? fmt::format(" by {}", one.by ? one.by->who : "?") : "");
    return text;
  };
  EXPECT_EQ(told(id), "endless ");
  add(id, ".*calendar.*\n.*session.*");
  EXPECT_EQ(told(id), "endless calendar by alice session by alice ");
  EXPECT_EQ(take_back(id, "calendar\n"), 1);
  EXPECT_EQ(job(id).care.live_settings, "scope.exclude=endless\nscope.exclude=session\n");
  EXPECT_EQ(got([&](Connection& c) { return changes_of(c, "job", std::to_string(id), 1); })[0].what,
            "no longer leaves out 1 crawler traps: calendar");
  const auto why_not = [&](std::string_view expression) {
    return why([&](Connection& c) { return take_back_traps(c, id, expression, edit()); });
  };
  EXPECT_THAT(why_not("calendar"), HasSubstr("no crawler trap of job"));
  EXPECT_THAT(why_not("endless"), HasSubstr("not added"));
  // As they were given, too.
  add(id, ".*p9.*");
  EXPECT_EQ(take_back(id, ".*p9.*"), 1);
  EXPECT_EQ(told(id), "endless session by alice ");
  EXPECT_THAT(why_not(".*endless.*"), HasSubstr("not added"));
  // Nobody has written down who added those of a job that an older server has had.
  done([&](Connection& c) { return c.execute("DELETE FROM job_traps"); });
  EXPECT_EQ(told(id), "endless session by ? ");
  take_back(id, "session");
  add(id, ".*shop.*");
  done([&](Connection& c) { return set_state(c, id, JobState::failed, "lost", edit()); });
  EXPECT_THAT(why_not("shop"), HasSubstr("does not run"));
  // The job in its place knows them from its start, and lets them be taken back all the same.
  const int64_t made = got([&](Connection& c) { return resubmit_job(c, id, edit()); });
  ASSERT_EQ(started_by("h2"), made);
  EXPECT_EQ(told(made), "endless shop by alice ");
  EXPECT_EQ(take_back(made, "shop"), 1);
  EXPECT_EQ(told(made), "endless ");
}

TEST_P(Care, AJobMayHaveNoTrapLeft) {
  make_job();
  const int64_t id = started_by("h1");
  got([&](Connection& c) { return add_traps(c, id, ".*calendar.*", edit()); });
  got([&](Connection& c) { return take_back_traps(c, id, "calendar", edit()); });
  EXPECT_EQ(job(id).care.live_settings, "scope.exclude=\n") << "the crawl is told so";
  EXPECT_TRUE(got([&](Connection& c) { return traps_of(c, id); }).empty());
  got([&](Connection& c) { return add_traps(c, id, ".*shop.*", edit()); });
  EXPECT_EQ(job(id).care.live_settings, "scope.exclude=shop\n");
  got([&](Connection& c) { return take_back_traps(c, id, "shop", edit()); });
  done([&](Connection& c) { return set_state(c, id, JobState::failed, "lost", edit()); });
  const int64_t made = got([&](Connection& c) { return resubmit_job(c, id, edit()); });
  EXPECT_THAT(file(made, "crawl.yaml"), Not(HasSubstr("exclude")));
}

// A job that is resubmitted, or patched, is the same job to whoever has added them.
TEST_P(Care, TrapsAndLimitsOfARunningJobGoToTheJobsThatFollowIt) {
  make_job({kNoLimit, 1000}, ".*endless.*");
  const int64_t id = started_by("h1");
  got([&](Connection& c) { return add_traps(c, id, ".*/calendar/\\d+\"x", edit()); });
  done([&](Connection& c) { return set_limits(c, id, {50, kNoLimit}, 60, edit()); });
  done([&](Connection& c) { return set_state(c, id, JobState::failed, "lost", edit()); });
  const int64_t made = got([&](Connection& c) { return resubmit_job(c, id, edit()); });
  EXPECT_EQ(job(made).care.live_settings, job(id).care.live_settings);
  EXPECT_TRUE(has_live_limits(job(made)));
  const std::string yaml = file(made, "crawl.yaml");
  EXPECT_THAT(yaml, HasSubstr("\nscope:\n  exclude:\n    - \"endless\"\n    - "));
  EXPECT_THAT(yaml, HasSubstr(R"(calendar/\\d+\"x)")) << "as YAML has it";
  EXPECT_THAT(yaml, HasSubstr("\nquota:\n  seed-domain-successes: 50\n  seed-domain-bytes: 0\n"));
  EXPECT_THAT(yaml, HasSubstr("  at-limit: end\n  max-time: 60s\n"));
  EXPECT_THAT(yaml, Not(HasSubstr("seed-domain-bytes: 1000")));
  // And to those that take the place of that one, and those that close its gaps.
  ASSERT_EQ(started_by("h2"), made);
  got([&](Connection& c) { return add_traps(c, made, ".*/shop/.*", edit()); });
  done([&](Connection& c) { return set_state(c, made, JobState::failed, "lost", edit()); });
  const int64_t patch = got([&](Connection& c) { return patch_job(c, made, {"http://a.example/x"}, edit()); });
  EXPECT_THAT(file(patch, "crawl.yaml"), AllOf(HasSubstr("calendar"), HasSubstr("/shop/"), Not(HasSubstr("quota"))));
  const int64_t last = got([&](Connection& c) { return resubmit_job(c, made, edit()); });
  EXPECT_THAT(file(last, "crawl.yaml"), AllOf(HasSubstr("endless"), HasSubstr("calendar"), HasSubstr("/shop/")));
}

// The sheets of such domains lie over the limits of the crawl.
TEST_P(Care, LimitsOfARunningJobHoldForDomainsThatAllowLess) {
  create({"a.example", "b.example", "c.example", "d.example"});
  const auto limit = [&](const std::string& name, const Limits& limits) {
    Domain one = domain(name);
    one.configurations[0].limits = limits;
    save(one);
  };
  limit("a.example", {kNoLimit, kNoLimit});
  limit("b.example", {500, kNoLimit});
  limit("c.example", {70, kNoLimit});
  limit("d.example", {500, 9000});
  Definition all;
  all.name = "all";
  all.kind = "snapshot";
  all.limits = {600, 8000};
  define(all);
  activate_now("all");
  ASSERT_TRUE(generate("all").value());
  const int64_t id = started_by("h1");
  ASSERT_EQ(job(id).shape.configurations, 4);
  const std::string made = file(id, "crawl.yaml");
  const auto changed = [&](const Limits& limits) {
    done([&](Connection& c) { return set_limits(c, id, limits, 0, edit()); });
    std::string all_of_them;
    for (const SheetChange& one : live_limits_of_sheets(made, job(id).care.live_settings))
      all_of_them += fmt::format("{} {}", one.sheet, one.settings);
    return all_of_them;
  };
  const auto quotas = [](std::string_view sheet, int64_t objects, int64_t bytes) {
    return fmt::format("harvest-limits-{} quota.seed-domain-successes={}\nquota.seed-domain-bytes={}\n", sheet, objects,
                       bytes);
  };
  EXPECT_EQ(changed({120, 8000}),
            quotas("70--1", 70, 8000) + quotas("500--1", 120, 8000) + quotas("500-9000", 120, 8000));
  EXPECT_EQ(changed({900, 8000}),
            quotas("70--1", 70, 8000) + quotas("500--1", 500, 8000) + quotas("500-9000", 500, 8000));
  EXPECT_EQ(changed({120, kNoLimit}),
            quotas("70--1", 70, 0) + quotas("500--1", 120, 0) + quotas("500-9000", 120, 9000));
  EXPECT_THAT(live_limits_of_sheets(made, "scope.exclude=x\n"), ElementsAre());
  // A crawl that begins anew has them from the start.
  const std::string quota = "    settings:\n      quota:\n        seed-domain-successes: ";
  const auto sheet = [&](std::string_view name, const std::string& domain) {
    return fmt::format("  harvest-limits-{}:\n    sites:\n      - \"{}\"\n{}", name, domain, quota);
  };
  EXPECT_THAT(made, HasSubstr(sheet("500-9000", "d.example") + "500\n        seed-domain-bytes: 8000\n"));
  done([&](Connection& c) { return set_state(c, id, JobState::failed, "lost", edit()); });
  const std::string yaml = file(got([&](Connection& c) { return resubmit_job(c, id, edit()); }), "crawl.yaml");
  EXPECT_THAT(yaml, HasSubstr(sheet("70--1", "c.example") + "70\n  harvest-limits-"));
  EXPECT_THAT(yaml, HasSubstr(sheet("500--1", "b.example") + "120\n  harvest-limits-"));
  EXPECT_THAT(yaml, HasSubstr(sheet("500-9000", "d.example") + "120\n        seed-domain-bytes: 9000\n"));
}

TEST_P(Care, QuestionsGoToTheHarvesterAndAnswersComeBack) {
  make_job();
  EXPECT_THAT(why([&](Connection& c) { return ask_crawl(c, 1, "queues", "{}", now()); }),
              HasSubstr("no crawl can be asked"));
  const int64_t id = started_by("h1");
  const int64_t question = got([&](Connection& c) { return ask_crawl(c, id, "log", "{\"match\":\"404\"}", now()); });
  EXPECT_FALSE(got([&](Connection& c) { return find_question(c, question, now()); }).answer);
  const JobWishes wishes = got([&](Connection& c) { return wishes_for(c, id, "h1", now()); });
  ASSERT_EQ(wishes.questions.size(), 1u);
  EXPECT_EQ(wishes.questions[0].text, "{\"match\":\"404\"}");
  done([&](Connection& c) { return answer_question(c, id, question, {"{\"lines\":[]}", ""}, now()); });
  EXPECT_EQ(got([&](Connection& c) { return find_question(c, question, now()); }).answer->text, "{\"lines\":[]}");
  EXPECT_TRUE(got([&](Connection& c) { return wishes_for(c, id, "h1", now()); }).questions.empty());
  EXPECT_FALSE(got([&](Connection& c) { return open_question(c, id, question); }));
  // Nobody waits for the answer any more.
  got([&](Connection& c) { return ask_crawl(c, id, "queues", "{}", now()); });
  EXPECT_EQ(got([&](Connection& c) { return wishes_for(c, id, "h1", now()); }).questions.size(), 1u);
  clock.advance(std::chrono::minutes(3));
  EXPECT_TRUE(got([&](Connection& c) { return wishes_for(c, id, "h1", now()); }).questions.empty());
}

TEST_P(Care, DeletionsMayTakeLongAndCanBeGivenUp) {
  make_job();
  const int64_t id = started_by("h1");
  const auto open = [&] { return got([&](Connection& c) { return wishes_for(c, id, "h1", now()); }).questions; };
  const auto asked = [&](int64_t question) {
    return got([&](Connection& c) { return find_question(c, question, now()); });
  };
  const int64_t log = got([&](Connection& c) { return ask_crawl(c, id, "log", "{}", now()); });
  const int64_t question = got([&](Connection& c) { return ask_crawl(c, id, "delete", "{}", now()); });
  clock.advance(std::chrono::hours(2));
  EXPECT_THAT(asked(log).answer->problem, HasSubstr("not answered in time"));
  ASSERT_EQ(open().size(), 1u);
  EXPECT_EQ(open()[0].id, question);
  done([&](Connection& c) { return hear_of_question(c, id, question, 40'000, now()); });
  got([&](Connection& c) { return ask_crawl(c, id, "log", "{}", now()); });
  EXPECT_THAT(why([&](Connection& c) { return find_question(c, log, now()); }), HasSubstr("gone"));
  EXPECT_EQ(asked(question).done, 40'000);
  EXPECT_EQ(asked(question).heard, now());
  EXPECT_FALSE(asked(question).answer);
  done([&](Connection& c) { return give_up_question(c, id, question, edit()); });
  EXPECT_TRUE(open()[0].is_given_up);
  done([&](Connection& c) { return answer_question(c, id, question, {"", "it was given up"}, now()); });
  EXPECT_EQ(asked(question).answer->problem, "it was given up");
  EXPECT_THAT(why([&](Connection& c) { return give_up_question(c, id, question, edit()); }), HasSubstr("that goes on"));
  EXPECT_EQ(got([&](Connection& c) { return deletions_of(c, id, now()); }).size(), 1u);
  EXPECT_EQ(got([&](Connection& c) { return changes_of(c, "job", std::to_string(id), 1); })[0].what,
            fmt::format("gives up the deletion or count of URLs that is question {}", question));
}

TEST_P(Care, QuestionsOfAJobThatEndsMeanwhileAreAnsweredSo) {
  make_job();
  const int64_t id = started_by("h1");
  const int64_t question = got([&](Connection& c) { return ask_crawl(c, id, "queues", "{}", now()); });
  EXPECT_EQ(got([&](Connection& c) { return open_question(c, id, question); })->kind, "queues");
  EXPECT_FALSE(got([&](Connection& c) { return open_question(c, id + 1, question); }));
  done([&](Connection& c) { return end_job(c, id, {}, StopReason::completed, now()); });
  EXPECT_EQ(got([&](Connection& c) { return find_question(c, question, now()); }).answer->problem,
            fmt::format("job {} has become FAILED meanwhile", id));
}

TEST_P(Care, PatchFetchesWhatAJobHasMissed) {
  make_job({kNoLimit, 1000});
  const auto patch = [&](int64_t id, const std::vector<std::string>& urls) {
    return why([&](Connection& c) { return patch_job(c, id, urls, edit()); });
  };
  EXPECT_THAT(patch(1, {"http://a.example/x"}), HasSubstr("when it has ended"));
  const int64_t id = run_next({{"a.example", 7, 70, StopReason::size_limit}});
  EXPECT_THAT(patch(id, {}), HasSubstr("1 to 100000 URLs"));
  EXPECT_THAT(patch(id, {"gopher://a.example/"}), HasSubstr("gopher"));
  const int64_t made = got([&](Connection& c) {
    return patch_job(c, id, {"http://a.example/missed.png", "http://other.example/style.css"}, edit());
  });
  EXPECT_EQ(job(made).care.patches, id);
  EXPECT_EQ(job(made).state, JobState::created);
  EXPECT_EQ(file(made, "seeds.txt"), "http://a.example/missed.png\nhttp://other.example/style.css\n");
  EXPECT_THAT(file(made, "crawl.yaml"), HasSubstr("extends: [./template.yaml, ./patch.yaml]"));
  EXPECT_THAT(file(made, "crawl.yaml"), Not(HasSubstr("seed-domain-bytes")));
  EXPECT_THAT(file(id, "crawl.yaml"), HasSubstr("seed-domain-bytes: 1000"));
  EXPECT_EQ(file(made, "duplicatereductionjobs.txt"), std::to_string(id) + "\n");
  // Its yield is the job's alone: the domain's history and the next step of the snapshot do not change.
  EXPECT_EQ(run_next({{"a.example", 1, 10, StopReason::completed}, {"other.example", 1, 5, StopReason::completed}}),
            made);
  EXPECT_EQ(job(made).objects, 2);
  EXPECT_EQ(job(made).bytes, 15);
  const auto results = got([&](Connection& c) { return list_results(c, {}); });
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].reason, StopReason::size_limit);
}

TEST_P(Care, MissedUrlsBecomeSeeds) {
  make_job();
  const int64_t id = run_next({{"a.example", 7, 70, StopReason::completed}});
  const auto collect = [&] {
    return got([&](Connection& c) {
      return collect_seeds(c, id, {"http://a.example/x.png", "http://elsewhere.example/", "nothing"}, "missed", edit());
    });
  };
  const CollectedSeeds collected = collect();
  EXPECT_EQ(collected.added, 1);
  EXPECT_EQ(collected.problems.size(), 2u);
  EXPECT_EQ(collect().added, 0);
  const Domain one = domain("a.example");
  EXPECT_THAT(one.configurations[0].seed_lists, ElementsAre("defaultseeds", "missed"));
  EXPECT_EQ(std::ranges::find(one.seed_lists, "missed", &SeedList::name)->seeds, "http://a.example/x.png\n");
}

TEST_P(Care, FilesAreKeptInAllStoresAndDifferencesAreTold) {
  make_job();
  const int64_t id = run_next({});
  const std::vector<std::string> stores{"archive", "second"};
  done([&](Connection& c) { return record_file(c, {id, "1-1.warc.gz", "warc", 100, "aa"}, now()); });
  const auto notice = [&] { return got([&](Connection& c) { return notice_new_files(c, stores, 0); }); };
  notice();
  notice();  // twice is once
  const auto wanted = [&] { return got([&](Connection& c) { return copies_wanted(c, stores, now() + 1, 10); }); };
  ASSERT_EQ(wanted().size(), 1u);
  Copy copy = wanted()[0];
  EXPECT_EQ(copy.store, "second");
  EXPECT_EQ(copy.sha256, "aa");
  EXPECT_THAT(got([&](Connection& c) { return stores_with(c, copy.file); }), ElementsAre("archive"));
  copy.state = "stored";
  copy.was_read = true;
  done([&](Connection& c) { return record_copy(c, copy, now()); });
  EXPECT_TRUE(wanted().empty());
  const auto old = [&] {
    return got([&](Connection& c) { return copies_to_check(c, stores, now(), now() - 60, 10); });
  };
  EXPECT_TRUE(old().empty());
  clock.advance(std::chrono::hours(1));
  EXPECT_EQ(old().size(), 2u);
  copy.state = "wrong";
  copy.found = "bb";
  copy.problem = "its digest is another one";
  done([&](Connection& c) { return record_copy(c, copy, now()); });
  EXPECT_EQ(got([&](Connection& c) { return totals_of(c, "second"); }).wrong, 1);
  EXPECT_EQ(got([&](Connection& c) { return totals_of(c, "archive"); }).stored, 1);
  const auto told = got([&](Connection& c) { return list_copies(c, "second", "", 0, 10); });
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].found, "bb");
  // One that could not be read is tried again after a while, and not taken for checked.
  const int64_t checked = told[0].checked;
  clock.advance(std::chrono::hours(1));
  copy.was_read = false;
  done([&](Connection& c) { return record_copy(c, copy, now()); });
  EXPECT_EQ(old().size(), 1u);
  clock.advance(std::chrono::minutes(2));
  EXPECT_EQ(old().size(), 2u);
  EXPECT_EQ(got([&](Connection& c) { return list_copies(c, "second", "", 0, 10); })[0].checked, checked);
  const auto repair = [&](const std::string& store) {
    return got([&](Connection& c) { return repair_all(c, store, stores, edit()); });
  };
  EXPECT_EQ(repair("second").files, 1);
  EXPECT_EQ(wanted().size(), 1u);
  // Damage that nothing can repair stays known.
  copy.store = "archive";
  done([&](Connection& c) { return record_copy(c, copy, now()); });
  EXPECT_EQ(repair("archive").files, 0);
  EXPECT_EQ(repair("archive").left, 1);
  EXPECT_EQ(got([&](Connection& c) { return totals_of(c, "archive"); }).wrong, 1);
}

}  // namespace
}  // namespace caddis::harvest
