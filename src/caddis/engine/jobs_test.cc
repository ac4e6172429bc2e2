// Jobs in a world without processes: a crawl that is launched lives until the test ends it, and says what the test wants.
#include "caddis/engine/jobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "caddis/engine/file_answer.h"
#include "caddis/engine/job_config.h"
#include "caddis/io/links.h"
#include "support/testdata.h"

namespace caddis::engine {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class JobsTest : public ::testing::Test {
 protected:
  std::unique_ptr<Jobs> open(size_t max_running = 0, const Allowance& allowance = {}) {
    auto jobs = Jobs::open(world_, {.folder = folder_ / "jobs", .max_running = max_running, .allowance = allowance});
    EXPECT_TRUE(jobs) << jobs.error().message;
    return *std::move(jobs);
  }
  static Result<std::shared_ptr<Job>> perform(Jobs& jobs, std::string_view name, JobAction action) {
    return jobs.perform(name, {.action = action, .launch = {}, .name = {}});
  }
  static void make(Jobs& jobs, const std::string& name) {
    const auto made = jobs.create({.name = name, .profile = {}, .job = {}, .urls = {"http://127.0.0.1/"}});
    ASSERT_TRUE(made) << made.error().message;
  }
  // The files of a crawl that has begun in the latest launch of a job, and has ended with these words.
  void write_end(const std::string& job, const std::string& words) {
    const std::string crawl = folder_ / ("jobs/" + job + "/latest/crawls/x-20261124170000");
    std::filesystem::create_directories(crawl + "/reports");
    std::ofstream(crawl + "/crawl.yaml") << "crawl:\n";
    std::ofstream(crawl + "/reports/crawl-report.txt") << "\ncrawl status: " << words << "\ndocuments: 12\n";
  }
  static std::string state(Jobs& jobs, std::string_view name) {
    return std::string(name_of((*jobs.find(name))->summary().state));
  }

  testing::TempDir folder_;
  ManualClock clock_;
  std::set<std::string> living_;
  std::vector<ProcessRequest> started_;
  JobWorld world_{
      .files = io::real_files(),
      .clock = clock_,
      .start = [this](const ProcessRequest& request) -> Result<void> {
        started_.push_back(request);
        living_.insert(request.folder);
        return {};
      },
      .lives = [this](const std::string& folder) { return living_.contains(folder); },
      .end = [this](const std::string& folder, bool) { living_.erase(folder); },
      .ask = [](const std::string&, const control::Question&, Duration) -> Result<control::SocketAnswer> {
        return fail(ErrorCode::not_found, "nobody");
      },
      .longest_end = std::chrono::minutes(30),
  };
};

TEST_F(JobsTest, AJobIsBuiltLaunchedAndFoundAgain) {
  auto jobs = open();
  make(*jobs, "a");
  EXPECT_EQ(state(*jobs, "a"), "UNBUILT");
  ASSERT_TRUE(perform(*jobs, "a", JobAction::build));
  EXPECT_EQ(state(*jobs, "a"), "READY");
  ASSERT_TRUE(perform(*jobs, "a", JobAction::launch));
  EXPECT_EQ(state(*jobs, "a"), "PREPARING");
  ASSERT_EQ(started_.size(), 1u);
  EXPECT_THAT(started_[0].arguments, Contains("crawl.name=a"));
  jobs.reset();
  jobs = open();
  EXPECT_EQ(state(*jobs, "a"), "PREPARING");
  jobs.reset();
  write_end("a", "Finished");
  living_.clear();
  jobs = open();
  EXPECT_EQ(state(*jobs, "a"), "FINISHED");
  const JobDetail detail = (*jobs->find("a"))->detail();
  EXPECT_EQ(detail.exit, ExitStatus::finished);
  EXPECT_EQ(detail.documents, 12u);
  ASSERT_EQ(detail.launches.size(), 1u);
  EXPECT_EQ(detail.launches[0].exit, "FINISHED");
  ASSERT_TRUE(perform(*jobs, "a", JobAction::resume));
  EXPECT_THAT(started_[1].arguments, Contains("--resume"));
  EXPECT_EQ(started_[1].folder, started_[0].folder);
}

TEST_F(JobsTest, ACrawlThatDiesOrNeverBeginsIsAbnormal) {
  auto jobs = open();
  make(*jobs, "a");
  ASSERT_TRUE(perform(*jobs, "a", JobAction::launch));
  std::ofstream(std::filesystem::path(started_[0].folder) / "output.log") << "caddis crawl: no memory\n";
  living_.clear();
  jobs->look();
  EXPECT_EQ((*jobs->find("a"))->summary().exit, ExitStatus::abnormal);
  EXPECT_THAT((*jobs->find("a"))->detail().log_tail, Contains(HasSubstr("no memory")));
  ASSERT_TRUE(perform(*jobs, "a", JobAction::teardown));
  EXPECT_EQ(state(*jobs, "a"), "UNBUILT");
}

TEST_F(JobsTest, ACrawlThatDoesNotEndIsKilled) {
  bool by_force = false;
  world_.end = [&](const std::string& folder, bool force) {
    by_force = force;
    if (force) living_.erase(folder);
  };
  auto jobs = open();
  make(*jobs, "a");
  ASSERT_TRUE(perform(*jobs, "a", JobAction::launch));
  ASSERT_TRUE(perform(*jobs, "a", JobAction::terminate));
  clock_.advance(world_.longest_end - std::chrono::seconds(1));
  jobs->look();
  EXPECT_EQ(state(*jobs, "a"), "STOPPING");
  jobs.reset();
  jobs = open();
  EXPECT_EQ(state(*jobs, "a"), "STOPPING") << "the next engine knows that it was asked to end";
  ASSERT_TRUE(perform(*jobs, "a", JobAction::terminate));
  clock_.advance(world_.longest_end - std::chrono::seconds(1));
  jobs->look();
  EXPECT_FALSE(by_force) << "it has the whole time again";
  clock_.advance(std::chrono::seconds(1));
  jobs->look();
  EXPECT_TRUE(by_force);
  EXPECT_THAT((*jobs->find("a"))->detail().log_tail, Contains(HasSubstr("has not ended within 30m of being asked to")));
  jobs->look();
  EXPECT_EQ((*jobs->find("a"))->summary().exit, ExitStatus::abnormal);
  write_end("a", "Finished");
  ASSERT_TRUE(perform(*jobs, "a", JobAction::resume));
  clock_.advance(2 * world_.longest_end);
  jobs->look();
  EXPECT_EQ(state(*jobs, "a"), "PREPARING") << "nobody has asked this one to end";
}

TEST_F(JobsTest, TheNextEngineAsksACrawlToEndThatThisOneWasAboutToAsk) {
  auto jobs = open();
  make(*jobs, "a");
  ASSERT_TRUE(perform(*jobs, "a", JobAction::launch));
  write_end("a", "Running");
  jobs.reset();
  const std::string path = folder_ / "jobs/a/job.yaml";
  auto record = read_record(world_.files, path);
  ASSERT_TRUE(record);
  record->is_ending = true;
  ASSERT_TRUE(write_record(world_.files, path, *record));
  std::vector<std::string> asked;
  bool answers = false;
  world_.ask = [&](const std::string&, const control::Question& question, Duration) -> Result<control::SocketAnswer> {
    asked.push_back(question.target);
    if (!answers) return fail(ErrorCode::not_found, "it does not listen yet");
    return control::SocketAnswer{.status = 200, .body = "{}"};
  };
  world_.end = [](const std::string&, bool) { ADD_FAILURE() << "a second signal would end it at once"; };
  jobs = open();
  EXPECT_EQ(std::ranges::count(asked, "/stop"), 1);
  answers = true;
  jobs->look();
  EXPECT_EQ(std::ranges::count(asked, "/stop"), 2) << "until it is answered";
  jobs->look();
  EXPECT_EQ(std::ranges::count(asked, "/stop"), 2) << "and no longer";
  EXPECT_EQ(state(*jobs, "a"), "STOPPING");
}

TEST_F(JobsTest, AnEndBeforeIsNotThatOfAResumedCrawl) {
  auto jobs = open();
  make(*jobs, "a");
  ASSERT_TRUE(perform(*jobs, "a", JobAction::launch));
  write_end("a", "Finished");
  living_.clear();
  jobs->look();
  EXPECT_EQ((*jobs->find("a"))->summary().exit, ExitStatus::finished);
  ASSERT_TRUE(perform(*jobs, "a", JobAction::resume));
  std::ofstream(std::filesystem::path(started_[1].folder) / "output.log") << "caddis crawl: no memory\n";
  living_.clear();
  jobs->look();
  const auto expect_abnormal = [&] {
    const JobDetail detail = (*jobs->find("a"))->detail();
    EXPECT_EQ(detail.exit, ExitStatus::abnormal);
    EXPECT_EQ(detail.launches[0].exit, "ABNORMAL");
    EXPECT_THAT(detail.log_tail, Contains(AllOf(HasSubstr("did not go on"), HasSubstr("no memory"))));
  };
  expect_abnormal();
  jobs.reset();
  jobs = open();
  expect_abnormal();
  ASSERT_TRUE(perform(*jobs, "a", JobAction::resume));
  write_end("a", "Finished - Ended by operator");
  living_.clear();
  jobs->look();
  EXPECT_EQ((*jobs->find("a"))->summary().exit, ExitStatus::aborted) << "this one has written a report of its own";
}

TEST_F(JobsTest, ACrawlThatIsKilledBehindItsReportIsAbnormal) {
  world_.end = [&](const std::string& folder, bool force) {
    if (!force) return;
    const auto kept = read_record(world_.files, folder_ / "jobs/a/job.yaml");
    EXPECT_TRUE(kept && was_killed(*kept, kept->launch)) << "on disk before the signal";
    living_.erase(folder);
  };
  auto jobs = open();
  make(*jobs, "a");
  ASSERT_TRUE(perform(*jobs, "a", JobAction::launch));
  ASSERT_TRUE(perform(*jobs, "a", JobAction::terminate));
  jobs->look();
  write_end("a", "Finished - Ended by operator");
  clock_.advance(world_.longest_end);
  jobs->look();
  jobs->look();
  const auto expect_abnormal = [&] {
    const JobDetail detail = (*jobs->find("a"))->detail();
    EXPECT_EQ(detail.exit, ExitStatus::abnormal);
    ASSERT_EQ(detail.launches.size(), 1u);
    EXPECT_EQ(detail.launches[0].exit, "ABNORMAL");
    EXPECT_THAT(detail.log_tail.back(), AllOf(HasSubstr("SEVERE"), HasSubstr("killed before it had ended")));
  };
  expect_abnormal();
  jobs.reset();
  jobs = open();
  expect_abnormal();
  ASSERT_TRUE(perform(*jobs, "a", JobAction::resume));
  write_end("a", "Finished - Ended by operator, once more");
  living_.clear();
  jobs->look();
  EXPECT_EQ((*jobs->find("a"))->detail().launches[0].exit, "ABORTED") << "resumed, it has ended by itself";
}

TEST_F(JobsTest, ACrawlMayTakeForEverToEnd) {
  world_.longest_end = Duration::zero();
  world_.end = [&](const std::string&, bool force) { EXPECT_FALSE(force); };
  auto jobs = open();
  make(*jobs, "a");
  ASSERT_TRUE(perform(*jobs, "a", JobAction::launch));
  ASSERT_TRUE(perform(*jobs, "a", JobAction::terminate));
  clock_.advance(std::chrono::hours(1000));
  jobs->look();
  EXPECT_EQ(state(*jobs, "a"), "STOPPING");
}

TEST_F(JobsTest, SoManyRunAsMayInTheOrderInWhichTheyCame) {
  auto jobs = open(1);
  for (const char* name : {"a", "b", "c"}) make(*jobs, name);
  ASSERT_TRUE(perform(*jobs, "c", JobAction::launch));
  ASSERT_TRUE(perform(*jobs, "b", JobAction::launch));
  ASSERT_TRUE(perform(*jobs, "a", JobAction::launch));
  EXPECT_EQ(state(*jobs, "a") + state(*jobs, "b"), "QUEUEDQUEUED");
  jobs.reset();
  jobs = open(1);
  living_.clear();
  jobs->look();
  EXPECT_EQ(state(*jobs, "c") + state(*jobs, "b") + state(*jobs, "a"), "FINISHEDPREPARINGQUEUED");
  living_.clear();
  jobs->look();
  EXPECT_EQ(state(*jobs, "a"), "PREPARING");
}

TEST_F(JobsTest, AJobWaitsForMemoryThatOthersHave) {
  const Allowance allowance{.memory = 600'000'000, .processors = 8};
  auto jobs = open(0, allowance);
  for (const char* name : {"a", "b", "c"}) {
    make(*jobs, name);
    std::ofstream(folder_ / ("jobs/" + std::string(name) + "/crawl.yaml"))
        << "crawl: {seeds: [http://127.0.0.1/]}\nmemory: {total: 300MB}\n";
    ASSERT_TRUE(perform(*jobs, name, JobAction::launch));
  }
  EXPECT_EQ(state(*jobs, "a") + state(*jobs, "b") + state(*jobs, "c"), "PREPARINGPREPARINGQUEUED");
  EXPECT_THAT(started_[1].arguments, Contains("memory.total=300000000"));
  EXPECT_THAT(started_[1].arguments, Contains("crawl.lanes=8"));
  EXPECT_THAT(started_[1].arguments, Contains(folder_ / "jobs/.hosts"));
  jobs.reset();
  jobs = open(0, allowance);
  jobs->look();
  EXPECT_EQ(state(*jobs, "c"), "QUEUED") << "another engine knows what those have that run";
  living_.erase(started_[0].folder);
  jobs->look();
  EXPECT_EQ(state(*jobs, "c"), "PREPARING");
}

TEST_F(JobsTest, AFullDiskKeepsJobsWaiting) {
  auto jobs = open(0, {.disk = 10'000});
  make(*jobs, "a");
  std::ofstream(folder_ / "jobs/a/large") << std::string(20'000, 'x');
  ASSERT_TRUE(perform(*jobs, "a", JobAction::launch));
  EXPECT_EQ(state(*jobs, "a"), "QUEUED");
  std::filesystem::remove(folder_ / "jobs/a/large");
  clock_.advance(std::chrono::minutes(1));
  jobs->look();
  EXPECT_EQ(state(*jobs, "a"), "PREPARING");
}

TEST_F(JobsTest, JobLogNamesWhoAsked) {
  auto jobs = open();
  make(*jobs, "a");
  ASSERT_TRUE(jobs->perform("a", {.action = JobAction::build, .launch = {}, .name = {}, .actor = "alice"}));
  EXPECT_THAT((*jobs->find("a"))->detail().log_tail, Contains(HasSubstr("alice asks to build it")));
}

TEST_F(JobsTest, ConfigurationsThatAreWrongAreNotBuilt) {
  auto jobs = open();
  make(*jobs, "a");
  std::ofstream(folder_ / "jobs/a/crawl.yaml") << "politeness:\n  dealy: 3s\n";
  const auto built = perform(*jobs, "a", JobAction::build);
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().code, ErrorCode::config);
  EXPECT_THAT(built.error().message, HasSubstr("did you mean 'delay'"));
  EXPECT_FALSE(perform(*jobs, "a", JobAction::launch));
  EXPECT_THAT(started_, IsEmpty());
}

TEST_F(JobsTest, AJobThatCouldNotBeginIsNotReady) {
  auto jobs = open();
  make(*jobs, "a");
  const auto build = [&](const std::string& yaml) -> std::string {
    std::ofstream(folder_ / "jobs/a/crawl.yaml") << yaml;
    const auto built = perform(*jobs, "a", JobAction::build);
    EXPECT_EQ(state(*jobs, "a"), built ? "READY" : "UNBUILT") << yaml;
    EXPECT_EQ((*jobs->find("a"))->detail().problems.empty(), built.has_value()) << yaml;
    return built ? "" : built.error().message;
  };
  EXPECT_THAT(build("crawl: {contact: me@a.test}\n"), HasSubstr("name at least one URL in crawl.seeds"));
  EXPECT_THAT(build("crawl: {contact: me@a.test, seeds: ['http://']}\n"), HasSubstr("crawl.seeds: "));
  EXPECT_THAT(build("crawl: {seeds: [https://a.test/]}\n"), HasSubstr("crawl.contact is not set"));
  EXPECT_THAT(build("crawl: {seeds: [https://a.test/], contact: nobody}\n"), HasSubstr("crawl.contact = nobody"));
  EXPECT_EQ(build("crawl: {seeds: [https://a.test/], contact: me@a.test}\n"), "");
  EXPECT_EQ(build("crawl: {seeds: [http://127.0.0.1/, 'http://']}\n"), "") << "the launch passes over it";
  EXPECT_EQ(build("crawl: {seed-files: [/lists/a.txt]}\n"), "") << "lists are read by the launch";
  world_.own_settings = [](config::Settings& settings) -> Result<void> {
    settings.crawl.contact = "me@a.test";
    return {};
  };
  EXPECT_EQ(build("crawl: {seeds: [https://a.test/]}\n"), "");
}

TEST_F(JobsTest, AConfigurationMayBeWrittenBeforeItsSeeds) {
  auto jobs = open();
  make(*jobs, "a");
  const auto findings = check_text(world_, (*jobs->find("a"))->folder(), "politeness: {delay: 11s}\n");
  ASSERT_TRUE(findings);
  EXPECT_TRUE(findings->is_good());
  EXPECT_THAT(obstacles_in(*findings), ElementsAre(HasSubstr("nothing to crawl")));
}

TEST_F(JobsTest, AProfileThatIsNotThereIsRefusedWithThoseThatAre) {
  auto jobs = open();
  make(*jobs, "a");
  ASSERT_TRUE(jobs->perform("a", {.action = JobAction::copy, .launch = {}, .name = "house", .as_profile = true}));
  const auto refusal = [&](const std::string& profile) {
    const auto made = jobs->create({.name = "b", .profile = profile, .job = {}, .urls = {}});
    return made ? "" : made.error().message;
  };
  EXPECT_THAT(refusal("nope"), AllOf(HasSubstr("there is no profile 'nope'; there are "), HasSubstr("one-site"),
                                     ::testing::EndsWith(", house")));
  EXPECT_THAT(refusal("one-sit"), HasSubstr("did you mean 'one-site'?"));
  EXPECT_EQ(refusal("a"), "job 'a' is no profile; give it as job");
  EXPECT_EQ(refusal("house"), "");
}

TEST_F(JobsTest, RemovalFollowsNoLink) {
  auto jobs = open();
  make(*jobs, "a");
  std::filesystem::create_directories(folder_ / "treasure");
  std::ofstream(folder_ / "treasure/file") << "gold";
  std::filesystem::create_symlink(folder_ / "treasure", folder_ / "jobs/a/link");
  ASSERT_TRUE(perform(*jobs, "a", JobAction::remove));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "treasure/file"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "jobs/a"));
  EXPECT_THAT(jobs->list(), IsEmpty());
}

TEST_F(JobsTest, NoPathLeadsOutOfAJob) {
  const std::string job = folder_ / "jobs/a";
  std::filesystem::create_directories(job + "/launch");
  std::ofstream(job + "/launch/file") << "mine";
  std::ofstream(folder_ / "jobs/secret") << "theirs";
  std::filesystem::create_symlink(folder_ / "jobs/secret", job + "/launch/out");
  std::filesystem::create_symlink("file", job + "/launch/in");
  EXPECT_TRUE(confined_path(job, job + "/launch", "file"));
  EXPECT_TRUE(confined_path(job, job + "/launch", "in"));
  EXPECT_TRUE(confined_path(job, job + "/launch", ""));
  for (const char* path : {"out", "../../secret", "/../../secret", "..", "../.", "nothing"})
    if (std::string_view(path) != ".." && std::string_view(path) != "../.")
      EXPECT_EQ(confined_path(job, job + "/launch", path).error().code, ErrorCode::not_found) << path;
}

TEST(JobNames, ThatMayBeFolders) {
  for (const char* good : {"a", "News-2026_1.2", "0"}) EXPECT_TRUE(is_job_name(good)) << good;
  for (const char* bad : {"", ".", "..", ".a", "-a", "a/b", "a b", "ä"}) EXPECT_FALSE(is_job_name(bad)) << bad;
  EXPECT_TRUE(is_launch_name("20261124170000"));
  EXPECT_TRUE(is_launch_name("20261124170000-2"));
  for (const char* bad : {"2026112417000", "20261124170000-", "20261124170000x", "latest"})
    EXPECT_FALSE(is_launch_name(bad)) << bad;
}

}  // namespace
}  // namespace caddis::engine
