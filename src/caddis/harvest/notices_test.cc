#include "caddis/harvest/notices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "caddis/harvest/copies.h"
#include "caddis/harvest/testing.h"

namespace caddis::harvest {
namespace {

using sql::Connection;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class NoticesOf : public ArchiveTest {
 protected:
  void SetUp() override {
    ArchiveTest::SetUp();
    if (IsSkipped()) return;
    create({"a.example"});
    snapshot("all", {});
    ASSERT_TRUE(generate("all").value());
  }
  std::vector<std::string> told() {
    std::vector<std::string> texts;
    for (const Notice& one : got([&](Connection& c) { return new_notices(c, rules_, now()); }))
      texts.push_back(one.text);
    return texts;
  }
  void hear_of(const std::string& name, int64_t free_bytes = 5'000'000'000) {
    HarvesterState one;
    one.name = name;
    one.free_bytes = free_bytes;
    done([&](Connection& c) { return hear_of_harvester(c, one, now()); });
  }
  int64_t taken(bool is_started) {
    const auto job = got([&](Connection& c) { return take_job(c, "h1", {"SNAPSHOT"}, now()); });
    if (is_started)
      done([&](Connection& c) -> Result<void> {
        TRY_VOID(hear_of_job(c, job->id, "h1", true, "{}", now()));
        return {};
      });
    return job->id;
  }
  void end_lost(int64_t longest = 0, bool may_be_taken_over = false) {
    (void)got([&](Connection& c) { return end_lost_jobs(c, 1800, longest, 0, may_be_taken_over, edit()); });
  }
  void keep(Copy copy) {
    done([&](Connection& c) { return record_copy(c, copy, now()); });
  }

  NoticeRules rules_{.silence = 1800, .since = 0, .least_free = 1'000'000'000, .stores = {"archive", "second"}};
};
CADDIS_ON_BOTH_DATABASES(NoticesOf);

TEST_P(NoticesOf, AtTheFirstLookNothingIsNews) {
  run_next({}, false);
  EXPECT_THAT(told(), IsEmpty());
  EXPECT_THAT(told(), IsEmpty());
}

TEST_P(NoticesOf, AFailedJobWithBothErrors) {
  EXPECT_THAT(told(), IsEmpty());
  const int64_t id = taken(true);
  JobEnd end;
  end.errors.harvest = "the crawl has died";
  end.errors.upload = "the disk is full";
  done([&](Connection& c) { return end_job(c, id, end, StopReason::unfinished, now()); });
  EXPECT_THAT(told(), ElementsAre("job 1 of all has failed: the crawl has died; upload: the disk is full"));
  EXPECT_THAT(told(), IsEmpty());
}

TEST_P(NoticesOf, NoLostHarvesterWhereAPersonResubmitsAJob) {
  EXPECT_THAT(told(), IsEmpty());
  const int64_t id = taken(false);
  JobEnd end;
  end.errors.harvest = "the crawl could not begin";
  done([&](Connection& c) { return end_job(c, id, end, StopReason::unfinished, now()); });
  EXPECT_THAT(told(), ElementsAre("job 1 of all has failed: the crawl could not begin"));
  EXPECT_EQ(got([&](Connection& c) { return resubmit_job(c, id, edit()); }), 2);
  EXPECT_THAT(told(), IsEmpty());
}

TEST_P(NoticesOf, JobsOfALostHarvester) {
  EXPECT_THAT(told(), IsEmpty());
  hear_of("h1");
  EXPECT_EQ(taken(false), 1);
  clock.advance(std::chrono::minutes(31));
  end_lost();
  EXPECT_THAT(told(), ElementsAre("nothing was heard of the harvester h1 for 31m",
                                  "job 1 of all was resubmitted as 2: h1 was not heard of again"));
  EXPECT_EQ(taken(true), 2);
  hear_of("h1");
  EXPECT_THAT(told(), IsEmpty());
  clock.advance(std::chrono::minutes(31));
  hear_of("h1");
  end_lost(0, true);
  EXPECT_THAT(told(),
              ElementsAre("job 2 of all waits for another harvester: nothing was heard of harvester h1 for 31m"));
  clock.advance(std::chrono::minutes(31));
  hear_of("h1");
  end_lost(0, true);
  EXPECT_THAT(told(),
              ElementsAre("job 2 of all has failed: harvester h1 was lost, and no other has taken the job over: "
                          "nothing was heard of harvester h1 for 31m"));
}

TEST_P(NoticesOf, AJobThatIsTooOld) {
  EXPECT_THAT(told(), IsEmpty());
  EXPECT_EQ(taken(true), 1);
  clock.advance(std::chrono::minutes(20));
  end_lost(600);
  EXPECT_THAT(told(), ElementsAre("job 1 of all is to stop: it has run for longer than 10m"));
}

TEST_P(NoticesOf, AHarvesterThatIsGoneAndComesBack) {
  EXPECT_THAT(told(), IsEmpty());
  hear_of("h1");
  clock.advance(std::chrono::minutes(31));
  EXPECT_THAT(told(), ElementsAre("nothing was heard of the harvester h1 for 31m"));
  clock.advance(std::chrono::minutes(31));
  rules_.since = now();
  EXPECT_THAT(told(), IsEmpty()) << "a server that has begun anew does not tell it again";
  hear_of("h1");
  EXPECT_THAT(told(), IsEmpty());
  clock.advance(std::chrono::minutes(31));
  EXPECT_THAT(told(), ElementsAre("nothing was heard of the harvester h1 for 31m"));
}

TEST_P(NoticesOf, AHarvesterThatCouldNotBeHeardIsNotGone) {
  EXPECT_THAT(told(), IsEmpty());
  hear_of("h1");
  clock.advance(std::chrono::hours(8));
  rules_.since = now() - 60;
  EXPECT_THAT(told(), IsEmpty());
}

TEST_P(NoticesOf, ADiskThatIsNearlyFull) {
  EXPECT_THAT(told(), IsEmpty());
  hear_of("h1", 900'000'000);
  EXPECT_THAT(told(), ElementsAre("the disk of the harvester h1 has 900.0 MB left"));
  hear_of("h1", 800'000'000);
  EXPECT_THAT(told(), IsEmpty());
  hear_of("h1");
  EXPECT_THAT(told(), IsEmpty());
  hear_of("h1", 800'000'000);
  EXPECT_THAT(told(), ElementsAre("the disk of the harvester h1 has 800.0 MB left"));
}

TEST_P(NoticesOf, HarvestsThatWereDeactivatedOrHaveMissedDates) {
  EXPECT_THAT(told(), IsEmpty());
  done([&](Connection& c) { return deactivate(c, "all", "its template is gone", edit()); });
  done([&](Connection& c) { return c.execute("UPDATE definitions SET missed = 2", sql::Values()); });
  EXPECT_THAT(told(), ElementsAre("the harvest all has missed dates of its schedule, 2 by now",
                                  "the harvest all was deactivated: its template is gone"));
  done([&](Connection& c) { return c.execute("UPDATE definitions SET missed = 3", sql::Values()); });
  EXPECT_THAT(told(), ElementsAre("the harvest all has missed dates of its schedule, 3 by now"));
  done([&](Connection& c) { return deactivate(c, "all", "", edit()); });
  EXPECT_THAT(told(), IsEmpty()) << "somebody has deactivated it";
}

TEST_P(NoticesOf, FilesThatAreNotAsTheyShouldBe) {
  EXPECT_THAT(told(), IsEmpty());
  const int64_t job = run_next({});
  for (const char* name : {"a", "b", "c", "d"})
    done([&](Connection& c) { return record_file(c, {job, name, "warc", 5, "00"}, now()); });
  (void)got([&](Connection& c) { return notice_new_files(c, {"archive", "second"}, 0); });
  const auto copies = got([&](Connection& c) { return list_copies(c, "second", "wanted", 0, 10); });
  ASSERT_EQ(copies.size(), 4u);
  const auto become = [&](size_t which, const std::string& state, const std::string& problem) {
    Copy copy = copies[which];
    copy.store = "second";
    copy.state = state;
    copy.problem = problem;
    keep(copy);
  };
  become(0, "wanted", "the store is away");
  EXPECT_THAT(told(), ElementsAre("1 file was not put into the store second: the store is away"));
  become(0, "missing", "it is not there");
  EXPECT_THAT(told(), ElementsAre("in the store second 1 file is missing or wrong: it is not there"));
  become(1, "missing", "it is not there");
  EXPECT_THAT(told(), ElementsAre("in the store second 2 files are missing or wrong: it is not there"));
  become(2, "missing", "it is not there");
  EXPECT_THAT(told(), IsEmpty());
  become(3, "missing", "it is not there");
  EXPECT_THAT(told(), ElementsAre("in the store second 4 files are missing or wrong: it is not there"));
  for (size_t i = 0; i < 3; ++i) become(i, "stored", "");
  EXPECT_THAT(told(), IsEmpty());
  for (size_t i = 0; i < 4; ++i) become(i, "stored", "");
  become(0, "missing", "it is gone");
  EXPECT_THAT(told(), IsEmpty()) << "one was missing all the time";
  become(0, "stored", "");
  EXPECT_THAT(told(), IsEmpty());
  become(0, "missing", "it is gone");
  EXPECT_THAT(told(), ElementsAre("in the store second 1 file is missing or wrong: it is gone"));
}

}  // namespace
}  // namespace caddis::harvest
