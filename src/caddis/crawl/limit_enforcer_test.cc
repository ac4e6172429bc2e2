#include "caddis/crawl/limit_enforcer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/aio/sim.h"
#include "caddis/crawl/lifecycle.h"
#include "caddis/crawl/settings_snapshot.h"
#include "caddis/crawl/statistics.h"
#include "caddis/io/files.h"
#include "caddis/scope/rules.h"

namespace caddis::crawl {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class LimitEnforcerTest : public ::testing::Test {
 protected:
  void set(const std::function<void(config::LimitSettings&)>& change) {
    change(wanted_.limits);
    auto snapshot = make_snapshot(wanted_, *scope::SiteRules::create(wanted_.scope), WallTime());
    ASSERT_TRUE(snapshot);
    settings_.replace(*std::move(snapshot));
  }
  void SetUp() override {
    set([](config::LimitSettings& limits) { limits.max_time = 10s; });
  }

  config::Settings wanted_;
  LiveSettings settings_{io::real_files()};
  aio::SimLoop loop_{1};
  Lifecycle lifecycle_{loop_};
  Statistics statistics_;
  bool is_empty_ = false;
  std::vector<std::string> given_up_, reported_;
  LimitEnforcer limits_{lifecycle_,
                        settings_,
                        statistics_,
                        {.is_empty = [this] { return is_empty_; },
                         .give_up_all = [this](std::string why) { given_up_.push_back(std::move(why)); },
                         .report = [this](std::string_view what) { reported_.emplace_back(what); }}};
};

TEST_F(LimitEnforcerTest, EndsACrawlThatReachesItsLimit) {
  statistics_.on_running_time(9s);
  limits_.check();
  EXPECT_TRUE(lifecycle_.is_running());
  statistics_.on_running_time(1s);
  limits_.check();
  EXPECT_EQ(lifecycle_.state(), RunState::stopping);
  EXPECT_EQ(lifecycle_.end().reason, EndReason::limit);
  EXPECT_EQ(lifecycle_.end().text, "reached max-time (10s)");
  EXPECT_THAT(reported_, IsEmpty());
}

TEST_F(LimitEnforcerTest, PausesUntilTheLimitIsRaised) {
  set([](config::LimitSettings& limits) { limits.at_limit = config::AtLimit::pause; });
  statistics_.on_running_time(10s);
  limits_.check();
  EXPECT_TRUE(lifecycle_.is_paused());
  EXPECT_EQ(lifecycle_.paused_at(), "reached max-time (10s)");
  EXPECT_THAT(reported_, ElementsAre("PAUSED reached max-time (10s)"));
  EXPECT_TRUE(limits_.keeps_paused());
  set([](config::LimitSettings& limits) { limits.max_time = 20s; });
  EXPECT_FALSE(limits_.keeps_paused());
}

TEST_F(LimitEnforcerTest, GivesUpWhatWaitsAndRunsDry) {
  set([](config::LimitSettings& limits) {
    limits.at_limit = config::AtLimit::block;
    limits.run_while_empty = true;
  });
  statistics_.on_running_time(10s);
  limits_.check();
  limits_.check();
  EXPECT_TRUE(lifecycle_.is_running());
  EXPECT_THAT(given_up_, ElementsAre("limit:max-time"));
  EXPECT_TRUE(limits_.runs_dry());
  EXPECT_FALSE(limits_.ran_dry());
  is_empty_ = true;
  EXPECT_TRUE(limits_.ran_dry());
  EXPECT_EQ(lifecycle_.end().reason, EndReason::limit);
}

// What it ends by is that nothing is left.
TEST_F(LimitEnforcerTest, LeavesACrawlAloneOfWhichNothingIsLeft) {
  is_empty_ = true;
  statistics_.on_running_time(10s);
  limits_.check();
  EXPECT_TRUE(lifecycle_.is_running());
}

TEST_F(LimitEnforcerTest, WaitsForAnImport) {
  lifecycle_.set_importing(true);
  statistics_.on_running_time(10s);
  limits_.check();
  EXPECT_TRUE(lifecycle_.is_running());
  lifecycle_.set_importing(false);
  limits_.check();
  EXPECT_EQ(lifecycle_.state(), RunState::stopping);
}

TEST_F(LimitEnforcerTest, CountsSilenceOnlyWhileVisitsMayBegin) {
  set([](config::LimitSettings& limits) {
    limits.max_time = Duration(0);
    limits.max_silence = 5s;
  });
  const SteadyTime start = loop_.clock().steady();
  limits_.observe(start, true, 100, 1, 1);
  limits_.observe(start + 4s, false, 100, 1, 1);
  limits_.check();
  EXPECT_TRUE(lifecycle_.is_running());
  limits_.observe(start + 9s, true, 100, 1, 1);
  limits_.check();
  EXPECT_EQ(lifecycle_.end().text, "reached max-silence (5s)");
}

}  // namespace
}  // namespace caddis::crawl
