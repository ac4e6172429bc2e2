#include "caddis/engine/job_record.h"

#include <gtest/gtest.h>

#include "caddis/io/memory_files.h"

namespace caddis::engine {
namespace {

TEST(JobRecord, IsReadBackAsItWasWritten) {
  JobRecord record{
      .is_profile = true, .is_built = true, .launch = "20261124170000", .is_ending = true, .ticket = 7, .request = {}};
  record.request = {.paused = true, .resume = true, .checkpoint = "kept"};
  record.end_before = "240@1764000000000000000 12@1764000000000000001";
  record.killed = {"20261124160000", "20261124170000"};
  EXPECT_EQ(parse_record(format_record(record)), record);
  EXPECT_EQ(parse_record(format_record(JobRecord())), JobRecord());
}

TEST(JobRecord, KnowsWhichLaunchesWereKilled) {
  JobRecord record;
  for (int launch = 0; launch < 5000; ++launch) set_killed(record, "20261124170000-" + std::to_string(launch), true);
  EXPECT_TRUE(was_killed(record, "20261124170000-4999"));
  EXPECT_LT(format_record(record).size(), 64u * 1024) << "the longest that is read";
  set_killed(record, "20261124170000-4999", false);
  EXPECT_FALSE(was_killed(record, "20261124170000-4999"));
  EXPECT_TRUE(was_killed(record, "20261124170000-4998"));
}

TEST(JobRecord, GoldenText) {
  EXPECT_EQ(
      format_record({.is_profile = false, .is_built = true, .launch = "20261124170000", .ticket = 0, .request = {}}),
      "# Kept by the engine.\nprofile: false\nbuilt: true\nlaunch: 20261124170000\n");
}

TEST(JobRecord, ErrorsNameTheLine) {
  EXPECT_EQ(parse_record("profile: true\nbuilt: maybe\n").error().message, "line 2: built is true or false");
  EXPECT_EQ(parse_record("ticket: -1").error().message, "line 1: ticket is a number");
  EXPECT_EQ(parse_record("nonsense").error().message, "line 1: no colon");
  EXPECT_TRUE(parse_record("from-a-newer-engine: 1\n").has_value());
}

TEST(JobRecord, OneThatIsNotThereIsANewJobs) {
  io::MemoryFiles files;
  ASSERT_TRUE(files.make_dirs("/j"));
  EXPECT_EQ(read_record(files, "/j/job.yaml"), JobRecord());
  ASSERT_TRUE(write_record(files, "/j/job.yaml", {.is_built = true, .launch = {}, .request = {}}));
  EXPECT_TRUE(read_record(files, "/j/job.yaml")->is_built);
}

}  // namespace
}  // namespace caddis::engine
