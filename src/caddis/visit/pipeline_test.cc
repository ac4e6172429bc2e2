// The path of a visit: order, jumps, failures, guards; and what its steps tell each other.

#include "caddis/visit/pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "caddis/aio/nursery.h"
#include "caddis/aio/sim.h"
#include "caddis/scope/scope.h"
#include "caddis/visit/kept_slots.h"
#include "caddis/visit/lane_pulse.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

using ::testing::ElementsAre;
using namespace std::chrono_literals;

class PipelineTest : public ::testing::Test {
 protected:
  using Body = std::function<Result<Next>(Visit&)>;

  // Writes down that it ran, then does what the test says.
  class ScriptedStep final : public Step {
   public:
    ScriptedStep(std::string_view name, std::vector<std::string>& ran, Body body)
        : name_(name), ran_(ran), body_(std::move(body)) {}
    std::string_view name() const override { return name_; }
    Result<Next> run(Visit& visit) override {
      ran_.emplace_back(name_);
      return body_ ? body_(visit) : Next::on();
    }
    void begin() override { ran_.push_back("begin " + std::string(name_)); }
    void end() override { ran_.push_back("end " + std::string(name_)); }

   private:
    std::string_view name_;
    std::vector<std::string>& ran_;
    Body body_;
  };
  // Waits for a second.
  class SlowStep final : public Step {
   public:
    SlowStep(aio::Loop& loop, std::vector<std::string>& ran) : loop_(loop), ran_(ran) {}
    std::string_view name() const override { return "slow"; }
    bool waits() const override { return true; }
    aio::Task<Result<Next>> run_waiting(Visit& visit) override {
      EXPECT_EQ(visit.step(), "slow");
      const Duration second = 1s;
      co_await aio::sleep_for(loop_, second);
      EXPECT_EQ(loop_.clock().steady() - visit.since(), 1s);
      ran_.emplace_back("slow");
      co_return Next::on();
    }

   private:
    aio::Loop& loop_;
    std::vector<std::string>& ran_;
  };

  std::unique_ptr<Step> step(std::string_view name, Body body = nullptr) {
    return std::make_unique<ScriptedStep>(name, ran_, std::move(body));
  }
  template <class... S>
  static Pipeline::Steps list(S... steps) {
    Pipeline::Steps all;
    (all.push_back(std::move(steps)), ...);
    return all;
  }
  Pipeline pipeline(Pipeline::Steps steps) {
    return {"url", loop_, pulse_, std::move(steps), list(step("disposition"), step("log"))};
  }
  static frontier::Lease lease(const std::string& url = "http://a.test/x") {
    frontier::Lease lease;
    lease.id = 7;
    lease.host = "a.test";
    lease.candidate.url = url;
    return lease;
  }
  void load(std::string_view yaml) {
    const auto loaded = config::load_settings(yaml, "crawl.yaml", settings_);
    ASSERT_TRUE(loaded) << loaded.error().message;
  }
  std::unique_ptr<Visit> visit(const std::string& url = "http://a.test/x") {
    if (!cache_)
      cache_ = std::make_shared<config::SettingsCache>(
          *config::SettingsResolver::create(settings_, scope_->rules(), WallTime()));
    return std::make_unique<Visit>(lease(url), cache_, loop_.clock(), 0);
  }
  // Runs it, and returns the steps that ran, without begin and end.
  std::vector<std::string> run(Pipeline& pipeline, Visit& visit) {
    ran_.clear();
    aio::Nursery nursery;
    nursery.spawn(pipeline.run(visit));
    loop_.run();
    std::erase_if(ran_, [](const std::string& entry) { return entry.starts_with("begin "); });
    return ran_;
  }
  static StepReport report_of(const Pipeline& pipeline, std::string_view step) {
    for (const StepReport& report : pipeline.report())
      if (report.step == step) return report;
    return {};
  }

  aio::SimLoop loop_{1};
  LanePulse pulse_{loop_};
  config::Settings settings_;
  std::unique_ptr<scope::Scope> scope_ = *scope::Scope::create({}, {*url::Url::parse("http://a.test/")});
  std::shared_ptr<config::SettingsCache> cache_;
  std::vector<std::string> ran_;
};

TEST_F(PipelineTest, TakesTheStepsInTheirOrder) {
  Pipeline steps = pipeline(list(step("one"), std::make_unique<SlowStep>(loop_, ran_), step("three")));
  const auto visit = this->visit();
  EXPECT_THAT(run(steps, *visit), ElementsAre("one", "slow", "three", "disposition", "log"));
  EXPECT_EQ(report_of(steps, "slow").times, 1u);
  EXPECT_EQ(report_of(steps, "slow").time, 1s);
  EXPECT_EQ(report_of(steps, "slow").last_time, 1s);
  EXPECT_EQ(report_of(steps, "log").times, 1u);
  EXPECT_EQ(pulse_.now().lease, 0u) << "the lane computes nothing any more";
}

TEST(StepReports, TheLastTimeOfAllLanesIsTheLatest) {
  const SteadyTime begin{};
  StepReport sum;
  sum.add({.pipeline = {}, .step = {}, .last_time = 2s, .last_end = begin + 5s});
  sum.add({.pipeline = {}, .step = {}, .last_time = 3s, .last_end = begin + 4s});
  sum.add({.pipeline = {}, .step = {}});
  EXPECT_EQ(sum.last_time, 2s);
}

TEST_F(PipelineTest, AStepMayFinish) {
  Pipeline steps = pipeline(list(step("one", [](Visit&) { return Next::finish(); }), step("two")));
  const auto visit = this->visit();
  EXPECT_THAT(run(steps, *visit), ElementsAre("one", "disposition", "log"));
  EXPECT_EQ(report_of(steps, "two").times, 0u);
}

TEST_F(PipelineTest, AStepMayJumpBothWays) {
  int rounds = 0;
  Pipeline steps =
      pipeline(list(step("one", [](Visit&) { return Next::jump("three"); }), step("two"),
                    step("three", [&](Visit&) { return ++rounds < 3 ? Next::jump("three") : Next::on(); })));
  const auto visit = this->visit();
  EXPECT_THAT(run(steps, *visit), ElementsAre("one", "three", "three", "three", "disposition", "log"));
  EXPECT_EQ(report_of(steps, "three").times, 3u);
}

TEST_F(PipelineTest, AFailureGoesToTheClosingSteps) {
  Pipeline steps = pipeline(
      list(step("one", [](Visit&) -> Result<Next> { return fail(ErrorCode::io, "bad sector"); }), step("two")));
  const auto visit = this->visit();
  EXPECT_THAT(run(steps, *visit), ElementsAre("one", "disposition", "log"));
  ASSERT_TRUE(visit->failure());
  EXPECT_EQ(visit->failure()->message, "bad sector");
  EXPECT_EQ(report_of(steps, "one").failed, 1u);
}

TEST_F(PipelineTest, AFailureWhileClosingSkipsNoOtherClosingStep) {
  Pipeline steps(
      "url", loop_, pulse_, list(step("one")),
      list(step("disposition", [](Visit&) -> Result<Next> { return fail(ErrorCode::io, "full"); }), step("log")));
  const auto visit = this->visit();
  EXPECT_THAT(run(steps, *visit), ElementsAre("one", "disposition", "log"));
}

TEST_F(PipelineTest, WhatIsConcludedBeforePassesTheClosingStepsAlone) {
  Pipeline steps = pipeline(list(step("one")));
  const auto visit = this->visit();
  visit->give_back();
  EXPECT_THAT(run(steps, *visit), ElementsAre("disposition", "log"));
}

TEST_F(PipelineTest, StepsHaveInitialAndFinalTasks) {
  Pipeline steps = pipeline(list(step("one")));
  steps.end();
  EXPECT_TRUE(ran_.empty()) << "no visit has begun";
  const auto first = visit(), second = visit();
  run(steps, *first);
  run(steps, *second);
  ran_.clear();
  steps.end();
  EXPECT_THAT(ran_, ElementsAre("end one", "end disposition", "end log"));
}

// --- guards

TEST_F(PipelineTest, GuardsLetVisitsPassBy) {
  load(R"(
pipeline:
  guard: ["extract: mime ^text/", "records: not status 500..599", "links: scheme https"]
sheets:
  quiet:
    sites: [quiet.test]
    settings:
      pipeline: {disable: [links], guard: ["extract: host nowhere"]}
)");
  const auto answered = [](int status, const std::string& mime) {
    return [status, mime](Visit& visit) {
      visit.document.outcome.emplace().status = status;
      visit.begin_line("http://a.test/x", "a.test", status).entry.mime = mime;
      return Next::on();
    };
  };
  const auto ran = [&](const std::string& url, int status, const std::string& mime) {
    Pipeline steps =
        pipeline(list(step("fetch", answered(status, mime)), step("extract"), step("records"), step("links")));
    const auto visit = this->visit(url);
    auto names = run(steps, *visit);
    EXPECT_EQ(names.size() + report_of(steps, "extract").passed_by + report_of(steps, "records").passed_by +
                  report_of(steps, "links").passed_by,
              6u);
    names.resize(names.size() - 2);
    return names;
  };
  EXPECT_THAT(ran("https://a.test/x", 200, "text/html"), ElementsAre("fetch", "extract", "records", "links"));
  EXPECT_THAT(ran("http://a.test/x", 200, "image/png"), ElementsAre("fetch", "records"));
  EXPECT_THAT(ran("https://a.test/x", 503, "text/html"), ElementsAre("fetch", "extract", "links"));
  // A list of a sheet takes the place of the crawl's.
  EXPECT_THAT(ran("https://quiet.test/x", 503, "text/html"), ElementsAre("fetch", "records"));
}

TEST_F(PipelineTest, PrerequisitesHaveNoGuards) {
  load("pipeline: {disable: [extract]}");
  Pipeline steps = pipeline(list(step("extract")));
  auto lease = this->lease("http://a.test/robots.txt");
  lease.kind = frontier::LeaseKind::robots;
  visit();
  Visit robots(std::move(lease), cache_, loop_.clock(), 0);
  EXPECT_THAT(run(steps, robots), ElementsAre("extract", "disposition", "log"));
}

// --- slots

struct Passing {
  int number = 0;
};
struct Lasting {
  std::string text;
  static constexpr bool kKeptOverRetries = true;
};

TEST(Slots, HoldAValueOfEachType) {
  Slots slots;
  EXPECT_EQ(slots.find<Passing>(), nullptr);
  slots.put(Passing{1});
  slots.put(Lasting{"a"});
  slots.put(Passing{2});
  ASSERT_NE(slots.find<Passing>(), nullptr);
  EXPECT_EQ(slots.find<Passing>()->number, 2);
  EXPECT_EQ(slots.find<Lasting>()->text, "a");
  EXPECT_EQ(slots.find<std::string>(), nullptr);
}

TEST(Slots, AreKeptOverRetriesIfTheySaySo) {
  KeptSlots kept;
  frontier::Disposition disposition;
  disposition.lease.candidate.url = "http://a.test/";
  const auto end_visit = [&](frontier::Verdict verdict) {
    Slots slots;
    slots.put(Passing{1});
    slots.put(Lasting{"a"});
    disposition.verdict = verdict;
    kept.keep(disposition, slots);
  };
  end_visit(frontier::Verdict::settled);
  EXPECT_TRUE(kept.restore("http://a.test/").empty()) << "it is not tried again";
  end_visit(frontier::Verdict::retry_url);
  EXPECT_TRUE(kept.restore("http://b.test/").empty());
  Slots again = kept.restore("http://a.test/");
  ASSERT_NE(again.find<Lasting>(), nullptr);
  EXPECT_EQ(again.find<Lasting>()->text, "a");
  EXPECT_EQ(again.find<Passing>(), nullptr);
  EXPECT_TRUE(kept.restore("http://a.test/").empty()) << "once";
}

}  // namespace
}  // namespace caddis::visit
