#include "caddis/engine/job_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caddis::engine {
namespace {

using ::testing::Contains;
using ::testing::Not;

constexpr JobState kAll[] = {JobState::unbuilt,  JobState::ready,   JobState::queued,  JobState::preparing,
                             JobState::running,  JobState::empty,   JobState::pausing, JobState::paused,
                             JobState::stopping, JobState::finished};

TEST(JobState, NamesAreThoseOfHeritrix) {
  EXPECT_EQ(name_of(JobState::pausing), "PAUSING");
  EXPECT_EQ(name_of(ExitStatus::time_limit), "FINISHED_TIME_LIMIT");
  EXPECT_EQ(status_of(JobState::paused, ExitStatus::none), "Active: PAUSED");
  EXPECT_EQ(status_of(JobState::finished, ExitStatus::aborted), "Finished: ABORTED");
  EXPECT_EQ(status_of(JobState::ready, ExitStatus::none), "Ready");
}

TEST(JobState, ActionsAreFoundByTheirNames) {
  for (const JobState state : kAll)
    for (const JobAction action : actions_in(state, false, true)) EXPECT_EQ(find_action(name_of(action)), action);
  EXPECT_EQ(find_action("delete"), JobAction::remove);
  EXPECT_EQ(find_action("explode"), std::nullopt);
}

TEST(JobState, NobodyDeletesAJobThatRunsOrLaunchesAProfile) {
  for (const JobState state : kAll) {
    EXPECT_EQ(takes(state, false, true, JobAction::remove), !is_active(state)) << name_of(state);
    EXPECT_EQ(takes(state, false, true, JobAction::terminate), is_active(state)) << name_of(state);
    EXPECT_THAT(actions_in(state, true, true), Not(Contains(JobAction::launch)));
    EXPECT_THAT(actions_in(state, false, true), Contains(JobAction::copy));
  }
  EXPECT_THAT(actions_in(JobState::finished, false, false), Not(Contains(JobAction::resume)));
}

TEST(JobState, TheEndOfACrawlIsToldByItsReport) {
  EXPECT_EQ(exit_of("Finished"), ExitStatus::finished);
  EXPECT_EQ(exit_of("Finished - Ended by operator"), ExitStatus::aborted);
  EXPECT_EQ(exit_of("Finished - Timelimit hit; reached max-time (1s)"), ExitStatus::time_limit);
  EXPECT_EQ(exit_of("Finished - Maximum number of documents limit hit; …"), ExitStatus::document_limit);
  EXPECT_EQ(exit_of("Finished - Maximum amount of data limit hit"), ExitStatus::data_limit);
  EXPECT_EQ(exit_of("Finished - Maximum bytes written"), ExitStatus::write_limit);
  EXPECT_EQ(exit_of("Failed - the disk is full"), ExitStatus::abnormal);
  EXPECT_EQ(exit_of(std::nullopt), ExitStatus::abnormal);
}

TEST(JobState, APauseHasComeWhenNoVisitRuns) {
  EXPECT_EQ(state_of_crawl("paused", 3), JobState::pausing);
  EXPECT_EQ(state_of_crawl("paused", 0), JobState::paused);
  EXPECT_EQ(state_of_crawl("running", 0), JobState::running);
  EXPECT_EQ(state_of_crawl("ended", 0), JobState::stopping);
}

}  // namespace
}  // namespace caddis::engine
