#include "caddis/engine/job_requests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caddis::engine {
namespace {

using ::testing::ElementsAre;

std::string refusal(const auto& read) { return read ? "" : read.error().message; }

Result<JobOrder> order(JobAction action, std::string_view json) {
  return read_order(json, {.action = action, .launch = {}, .name = {}});
}

TEST(JobRequests, AJobHasTheMembersThatAreKnown) {
  const auto job = read_new_job(R"({"name":"a","profile":"one-site","job":null,"urls":["http://a.test/"]})");
  ASSERT_TRUE(job) << job.error().message;
  EXPECT_EQ(job->name + job->profile + job->job, "aone-site");
  EXPECT_THAT(job->urls, ElementsAre("http://a.test/"));
  const std::string known = "; these are: job, name, profile, urls";
  EXPECT_EQ(refusal(read_new_job(R"({"name":"a","seeds":["http://a.test/"]})")), "'seeds' is not known here" + known);
  EXPECT_EQ(refusal(read_new_job(R"({"name":"a","seeds":5})")), "'seeds' is not known here" + known);
  EXPECT_EQ(refusal(read_new_job(R"({"name":5})")), "name is a text");
  EXPECT_EQ(refusal(read_new_job(R"({"name":"a","urls":5})")), "urls is a list");
  EXPECT_EQ(refusal(read_new_job(R"({"name":"a","urls":[5]})")), "urls is a list of texts");
  EXPECT_EQ(refusal(read_new_job("[]")), "the body is no JSON object");
  EXPECT_EQ(read_new_job("[]").error().code, ErrorCode::parse);
}

TEST(JobRequests, AnOrderHasTheMembersOfItsAction) {
  EXPECT_TRUE(order(JobAction::launch, R"({"paused":true,"checkpoint":"c"})")->launch.paused);
  EXPECT_EQ(order(JobAction::resume, R"({"checkpoint":"c"})")->launch.checkpoint, "c");
  EXPECT_EQ(order(JobAction::checkpoint, R"({"name":"c"})")->name, "c");
  EXPECT_TRUE(order(JobAction::copy, R"({"name":"b","as_profile":true})")->as_profile);
  EXPECT_TRUE(order(JobAction::remove, R"({"launches":true})")->launches);
  EXPECT_TRUE(order(JobAction::build, ""));
  EXPECT_TRUE(order(JobAction::build, "{}"));
  EXPECT_EQ(refusal(order(JobAction::launch, R"({"pausd":true})")),
            "'pausd' is not known here; these are: checkpoint, paused");
  EXPECT_EQ(refusal(order(JobAction::launch, R"({"paused":1})")), "paused is true or false");
  EXPECT_EQ(refusal(order(JobAction::remove, R"({"name":"b"})")), "'name' is not known here; these are: launches");
  EXPECT_EQ(refusal(order(JobAction::build, R"({"x":1})")), "'x' is not known here; no member is");
}

TEST(JobRequests, ABodyLeavesWhatParametersHaveSaid) {
  JobOrder given{
      .action = JobAction::launch, .launch = {.paused = true, .resume = false, .checkpoint = "c"}, .name = {}};
  const auto read = read_order("{}", given);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->launch.checkpoint, "c");
  EXPECT_TRUE(read->launch.paused);
}

}  // namespace
}  // namespace caddis::engine
