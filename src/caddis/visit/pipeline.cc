#include "caddis/visit/pipeline.h"

#include <algorithm>

#include "caddis/visit/lane_pulse.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

// Only the lane's thread writes.
template <class T>
void add(std::atomic<T>& counter, T amount) {
  counter.store(counter.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
}

}  // namespace

Pipeline::Pipeline(std::string_view name, aio::Loop& loop, LanePulse& pulse, Steps steps, Steps closing)
    : name_(name), loop_(loop), pulse_(pulse), closing_(steps.size()) {
  for (Steps* list : {&steps, &closing})
    for (auto& step : *list) {
      stages_.push_back(std::make_unique<Stage>());
      stages_.back()->step = std::move(step);
    }
}

void Pipeline::begin() {
  if (has_begun_) return;
  has_begun_ = true;
  for (const auto& stage : stages_) stage->step->begin();
}

void Pipeline::end() {
  if (!has_begun_) return;
  has_begun_ = false;
  for (const auto& stage : stages_) stage->step->end();
}

size_t Pipeline::index_of(std::string_view step) const {
  const auto found = std::ranges::find_if(stages_, [&](const auto& stage) { return stage->step->name() == step; });
  CADDIS_CHECK(found != stages_.end());
  return static_cast<size_t>(found - stages_.begin());
}

aio::Task<void> Pipeline::run(Visit& visit) {
  begin();
  size_t at = visit.is_concluded() ? closing_ : 0;
  while (at < stages_.size()) {
    Stage& stage = *stages_[at];
    Step& step = *stage.step;
    if (at < closing_ && !visit.allows(step.name())) {
      add<uint64_t>(stage.passed_by, 1);
      step.pass_by(visit);
      ++at;
      continue;
    }
    visit.enter(step.name());
    pulse_.enter(visit.lease().id, step.name().data());
    if (step.waits()) {
      // The lane is at the step until it comes back to its loop.
      pulse_.leave_at_next_turn(visit.lease().id);
      Result<Next> next = co_await step.run_waiting(visit);
      at = settle(visit, at, std::move(next));
    } else {
      at = settle(visit, at, step.run(visit));
    }
    count(stage, visit);
  }
  pulse_.leave();
}

size_t Pipeline::settle(Visit& visit, size_t at, Result<Next> next) {
  if (!next) {
    add<uint64_t>(stages_[at]->failed, 1);
    visit.fail(std::move(next).error());
  }
  if (at >= closing_) return at + 1;
  if (!next || next->is_finish()) return closing_;
  return next->is_jump() ? index_of(next->target()) : at + 1;
}

void Pipeline::count(Stage& stage, const Visit& visit) {
  add<uint64_t>(stage.times, 1);
  const SteadyTime now = loop_.clock().steady();
  const Duration spent = now - visit.since();
  add<int64_t>(stage.nanoseconds, std::chrono::duration_cast<std::chrono::nanoseconds>(spent).count());
  stage.last_time.store(spent, std::memory_order_relaxed);
  stage.last_end.store(now, std::memory_order_relaxed);
}

std::vector<StepReport> Pipeline::report() const {
  std::vector<StepReport> all;
  std::vector<StepPart> parts;
  for (const auto& stage : stages_) {
    const std::string_view step = stage->step->name();
    all.push_back({.pipeline = name_,
                   .step = step,
                   .times = stage->times.load(std::memory_order_relaxed),
                   .passed_by = stage->passed_by.load(std::memory_order_relaxed),
                   .failed = stage->failed.load(std::memory_order_relaxed),
                   .time = std::chrono::nanoseconds(stage->nanoseconds.load(std::memory_order_relaxed)),
                   .last_time = stage->last_time.load(std::memory_order_relaxed),
                   .last_end = stage->last_end.load(std::memory_order_relaxed)});
    parts.clear();
    stage->step->report_parts(parts);
    for (const StepPart& part : parts)
      all.push_back({.pipeline = name_,
                     .step = step,
                     .times = part.times,
                     .failed = part.failed,
                     .part = part.name,
                     .links = part.links,
                     .dropped = part.dropped});
  }
  return all;
}

}  // namespace caddis::visit
