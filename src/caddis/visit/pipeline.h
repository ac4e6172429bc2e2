// The path of a visit as data: an ordered list of steps, and closing steps that every visit passes, whatever became of
// it. Counts what each step did.
//
//   Pipeline pipeline("url", loop, pulse, {std::move(fetch), std::move(records)}, {std::move(log)});
//   co_await pipeline.run(visit);
//   pipeline.end();                 // after the last visit
//
// A step is passed by if the effective settings of the visit disable it or its guard says so (pipeline_settings.h).
// Belongs to its lane's loop; `report` may be called from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"
#include "caddis/base/clock.h"
#include "caddis/visit/step.h"

namespace caddis::visit {

class LanePulse;

// The counters of a step so far.
struct StepReport {
  std::string_view pipeline, step;
  uint64_t times = 0;      // it has run
  uint64_t passed_by = 0;  // disabled, or by its guard
  uint64_t failed = 0;     // of `times`
  std::string_view part;   // of the step; empty: all of it
  uint64_t links = 0;      // that the part found
  uint64_t dropped = 0;    // links beyond the limits
  Duration time{};         // spent in it, waiting included
  Duration last_time{};    // of that the last one's
  SteadyTime last_end{};   // when that ended

  // Adds what the same step of another lane has done.
  void add(const StepReport& other) {
    pipeline = other.pipeline;
    step = other.step;
    times += other.times;
    passed_by += other.passed_by;
    failed += other.failed;
    part = other.part;
    links += other.links;
    dropped += other.dropped;
    time += other.time;
    if (other.last_end <= last_end) return;
    last_time = other.last_time;
    last_end = other.last_end;
  }
};

class Pipeline {
 public:
  using Steps = std::vector<std::unique_ptr<Step>>;
  // `loop` and `pulse` outlive it; `name` is a literal.
  Pipeline(std::string_view name, aio::Loop& loop, LanePulse& pulse, Steps steps, Steps closing);

  // Takes the visit through the steps; one that is concluded already passes the closing steps alone.
  aio::Task<void> run(Visit& visit);
  // Runs the steps' final tasks, if there was a visit.
  void end();
  // The steps in their order, the closing ones last; each before its parts.
  std::vector<StepReport> report() const;

 private:
  struct Stage {
    std::unique_ptr<Step> step;
    std::atomic<uint64_t> times = 0, passed_by = 0, failed = 0;
    std::atomic<int64_t> nanoseconds = 0;
    std::atomic<Duration> last_time{};
    std::atomic<SteadyTime> last_end{};
  };

  void begin();
  size_t index_of(std::string_view step) const;
  // Returns the index of the stage that comes next.
  size_t settle(Visit& visit, size_t at, Result<Next> next);
  void count(Stage& stage, const Visit& visit);

  const std::string_view name_;
  aio::Loop& loop_;
  LanePulse& pulse_;
  std::vector<std::unique_ptr<Stage>> stages_;
  size_t closing_;  // the index of the first closing step
  bool has_begun_ = false;
};

}  // namespace caddis::visit
