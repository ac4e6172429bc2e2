#include "caddis/crawl/load_governor.h"

#include <gtest/gtest.h>

#include "caddis/io/memory_files.h"
#include "caddis/scope/rules.h"

namespace caddis::crawl {
namespace {

using namespace std::chrono_literals;

class LoadGovernorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    config::Settings settings;
    settings.memory.total = 1'000'000'000;
    settings.limits.min_free_space = 1000;
    auto snapshot = make_snapshot(settings, *scope::SiteRules::create(settings.scope), WallTime());
    ASSERT_TRUE(snapshot);
    settings_.replace(*std::move(snapshot));
    load_.set_max_visits(0);
  }

  io::MemoryFiles files_;
  LiveSettings settings_{io::real_files()};
  aio::ProcessUse use_;
  LoadGovernor load_{files_, "/c", settings_, [this] { return use_; }};
};

TEST_F(LoadGovernorTest, LetsMoreVisitsGoOnWhileTheyWaitForNothingElse) {
  const uint64_t before = load_.max_visits();
  load_.observe(Duration(0), 0, 2);
  EXPECT_EQ(load_.max_visits(), before) << "nobody asked for more";
  load_.note_limit_reached();
  load_.observe(Duration(0), 0, 2);
  EXPECT_GT(load_.max_visits(), before);
}

TEST_F(LoadGovernorTest, LetsFewerGoOnIfTheLoopIsLate) {
  const uint64_t before = load_.max_visits();
  load_.observe(2s, 0, 2);
  EXPECT_LT(load_.max_visits(), before);
}

TEST_F(LoadGovernorTest, LetsFewerGoOnIfTheDiskDoesNotFollow) {
  const uint64_t before = load_.max_visits();
  load_.observe(Duration(0), settings_.memory().finished, 2);
  EXPECT_LT(load_.max_visits(), before);
}

TEST_F(LoadGovernorTest, AsksForProcessorsAsThereAreLanes) {
  const uint64_t before = load_.max_visits();
  use_.processor = 1s;
  load_.note_limit_reached();
  load_.observe(Duration(0), 0, 1);
  EXPECT_EQ(load_.max_visits(), before) << "one lane has no more to give";
  use_.processor = 2s;
  load_.note_limit_reached();
  load_.observe(Duration(0), 0, 4);
  EXPECT_GT(load_.max_visits(), before);
}

TEST_F(LoadGovernorTest, KeepsTheNumberThatAnOperatorHasSet) {
  load_.set_max_visits(7);
  load_.note_limit_reached();
  load_.observe(2s, 0, 2);
  EXPECT_EQ(load_.max_visits(), 7u);
}

TEST_F(LoadGovernorTest, KnowsTheMemoryOfTheLastLook) {
  EXPECT_TRUE(load_.has_memory());
  use_.memory = 1'000'000'000;
  EXPECT_TRUE(load_.has_memory());
  load_.observe(Duration(0), 0, 1);
  EXPECT_FALSE(load_.has_memory());
}

TEST_F(LoadGovernorTest, SeesTheDiskFillAndEmpty) {
  files_.set_free_space(1000);
  load_.check_disk();
  EXPECT_FALSE(load_.is_disk_low());
  files_.set_free_space(999);
  load_.check_disk();
  EXPECT_TRUE(load_.is_disk_low());
  files_.set_free_space(2000);
  load_.check_disk();
  EXPECT_FALSE(load_.is_disk_low());
}

}  // namespace
}  // namespace caddis::crawl
