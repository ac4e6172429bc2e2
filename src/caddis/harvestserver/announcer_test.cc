#include "caddis/harvestserver/announcer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "caddis/base/log.h"
#include "caddis/harvest/testing.h"
#include "caddis/harvestserver/log_modules.h"
#include "caddis/io/memory_files.h"
#include "caddis/process/programs.h"

namespace caddis::harvestserver {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class RecordingWebhook final : public alerts::Webhook {
 public:
  aio::Task<Result<void>> post(std::string, std::string json) override {
    posted.push_back(std::move(json));
    co_return Result<void>();
  }
  std::vector<std::string> posted;
};

class StillLoop final : public aio::Loop {
 public:
  explicit StillLoop(const Clock& clock) : clock_(clock) {}
  void post(std::function<void()> work) override { work(); }
  TimerId at(SteadyTime, std::function<void()>) override { return 0; }
  void cancel(TimerId) override {}
  void run() override {}
  void stop() override {}
  const Clock& clock() const override { return clock_; }

 private:
  const Clock& clock_;
};

class Announcing : public harvest::ArchiveTest {
 protected:
  void SetUp() override {
    ArchiveTest::SetUp();
    if (IsSkipped()) return;
    settings_.alerts.webhook = "https://example.org/hook";
    settings_.harvest.address = "https://harvest.example/";
    store_ = std::make_unique<Store>(Store::open(files_, "/data").value());
    unpacked_ = std::make_unique<UnpackedJobs>(files_, "/data/unpacked");
    parts_ = std::make_unique<Parts>(database(), files_, clock, settings_, *store_, *unpacked_, "", "");
    announcer_ = std::make_unique<Announcer>(loop_, webhook_, programs_, *parts_,
                                             alerts::Subject{"archive", "/data", "host1", "server"});
    EXPECT_EQ(told(), "") << "the first look has no news";
  }
  // The message that a look leads to; empty if none.
  std::string told() {
    webhook_.posted.clear();
    announcer_->look(0);
    clock.advance(settings_.alerts.interval);
    announcer_->tick();
    return webhook_.posted.empty() ? "" : webhook_.posted.front();
  }

  io::MemoryFiles files_;
  ServerSettings settings_;
  StillLoop loop_{clock};
  RecordingWebhook webhook_;
  process::ScriptedPrograms programs_{{"", "no such program"}};
  std::unique_ptr<Store> store_;
  std::unique_ptr<UnpackedJobs> unpacked_;
  std::unique_ptr<Parts> parts_;
  std::unique_ptr<Announcer> announcer_;
};
CADDIS_ON_BOTH_DATABASES(Announcing);

TEST_P(Announcing, TellsOfAFailedJobOnceAndWhereToLook) {
  create({"a.example"});
  snapshot("all", {});
  ASSERT_TRUE(generate("all").value());
  const int64_t job = run_next({}, false);
  EXPECT_THAT(told(), AllOf(HasSubstr(R"({"server":"archive")"), HasSubstr(R"("kind":"ends")"),
                            HasSubstr("job 1 of all has failed"),
                            HasSubstr("https://harvest.example/#/jobs/" + std::to_string(job))));
  EXPECT_EQ(told(), "");
}

TEST_P(Announcing, TellsALineOfTheLogOnceADayAndNoneOfWhatTheDatabaseHas) {
  log_warn("harvest", "the database was not copied");
  log_warn("harvest", "the database was not copied");
  log_warn(kJobsLog, "job 7 has failed");
  const std::string first = told();
  EXPECT_THAT(first, AllOf(HasSubstr("the database was not copied"), Not(HasSubstr("job 7"))));
  EXPECT_EQ(first.find("not copied"), first.rfind("not copied"));
  log_warn("harvest", "the database was not copied");
  EXPECT_EQ(told(), "");
  clock.advance(std::chrono::hours(24));
  log_warn("harvest", "the database was not copied");
  EXPECT_THAT(told(), HasSubstr("the database was not copied"));
}

TEST_P(Announcing, SaysOnceThatTheLogHasMore) {
  for (int i = 0; i < 1000; ++i) {
    log_warn("harvest", "warning {}", i);
    if (i % 50 == 49) (void)told();
  }
  log_warn("harvest", "warning {}", 7);
  EXPECT_EQ(told(), "") << "it is known";
  log_warn("harvest", "warning {}", 2000);
  const std::string last = told();
  EXPECT_THAT(last, AllOf(HasSubstr("more warnings today"), Not(HasSubstr("warning 2000"))));
  EXPECT_EQ(last.find("more warnings"), last.rfind("more warnings"));
  log_warn("harvest", "warning {}", 2001);
  EXPECT_EQ(told(), "");
}

TEST_P(Announcing, SaysOnceADayThatTheLogHasMore) {
  // As many as are kept in mind, in two halves, and one more.
  const auto warn = [](int from, int to) {
    for (int i = from; i < to; ++i) log_warn("harvest", "warning {}", i);
  };
  warn(0, 500);
  (void)told();
  clock.advance(std::chrono::hours(12));
  warn(500, 1001);
  EXPECT_THAT(told(), HasSubstr("more warnings today"));
  // Room is made by what was heard a day before.
  clock.advance(std::chrono::hours(12));
  warn(2000, 2499);
  EXPECT_THAT(told(), Not(HasSubstr("more warnings today")));
  warn(2499, 2502);
  EXPECT_EQ(told(), "") << "it was told half a day before";
}

}  // namespace
}  // namespace caddis::harvestserver
