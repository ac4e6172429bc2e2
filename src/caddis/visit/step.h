// A step of a pipeline: one thing that is done for a visit. It goes on, finishes, jumps, or fails.
//
//   class TitleStep final : public Step {
//    public:
//     std::string_view name() const override { return "title"; }
//     Result<Next> run(Visit& visit) override { ...; return Next::on(); }
//   };
//
// A step that waits for something (the network, a timer) overrides `waits` and `run_waiting` in place of `run`. A step
// belongs to one lane; visits pass through it one after the other, and where it waits, beside each other: what is of a
// visit stands in the visit.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "caddis/aio/task.h"
#include "caddis/base/check.h"
#include "caddis/base/error.h"

namespace caddis::visit {

class Visit;

// Where a visit goes after a step. An Error in its place means that the machine failed (a disk), not the web: the visit
// goes to the closing steps, and is made again.
class Next {
 public:
  static Next on() { return Next(Kind::on, {}); }
  // To the closing steps.
  static Next finish() { return Next(Kind::finish, {}); }
  // To the step of that name, before or behind this one. `step` is a literal.
  static Next jump(std::string_view step) { return Next(Kind::jump, step); }

  bool is_finish() const { return kind_ == Kind::finish; }
  bool is_jump() const { return kind_ == Kind::jump; }
  std::string_view target() const { return target_; }

 private:
  enum class Kind { on, finish, jump };
  Next(Kind kind, std::string_view target) : kind_(kind), target_(target) {}
  Kind kind_;
  std::string_view target_;
};

// The counters of a part of a step so far: in the step extract, of an extractor.
struct StepPart {
  std::string_view name;
  uint64_t times = 0;
  uint64_t failed = 0;  // of `times`
  uint64_t links = 0, dropped = 0;
};

class Step {
 public:
  virtual ~Step() = default;
  // A literal; unique within its pipeline.
  virtual std::string_view name() const = 0;
  virtual Result<Next> run(Visit&) {
    CADDIS_CHECK(false);
    return Next::finish();
  }
  virtual bool waits() const { return false; }
  virtual aio::Task<Result<Next>> run_waiting(Visit&) {
    CADDIS_CHECK(false);
    co_return Next::finish();
  }
  // The settings let the visit pass the step by.
  virtual void pass_by(Visit&) {}
  // Adds the counts of the step's parts, if it has any, always the same ones in the same order. Any thread.
  virtual void report_parts(std::vector<StepPart>&) const {}
  // Tasks of the step itself: before the pipeline's first visit, and after its last.
  virtual void begin() {}
  virtual void end() {}
};

}  // namespace caddis::visit
