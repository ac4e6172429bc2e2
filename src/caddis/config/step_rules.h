// Which steps of a pipeline a visit passes by: those that are disabled, and those whose guards say so.
//
// Immutable, any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/config/pipeline_settings.h"
#include "caddis/scope/candidate.h"
#include "caddis/scope/predicate.h"

namespace caddis::config {

// One entry of `pipeline.guard`: "extract: mime ^text/", "records: not status 500..599". The step is taken if the
// predicate holds.
struct StepGuard {
  // ErrorCode::config says how one is written.
  static Result<StepGuard> parse(std::string_view text);

  std::string step;
  scope::Predicate predicate;
};

class StepRules {
 public:
  // Returns null if every step is taken. `settings` were validated.
  static std::shared_ptr<const StepRules> create(const PipelineSettings& settings);
  bool lets_run(std::string_view step, const scope::Candidate& visited) const;

 private:
  std::vector<std::string> disabled_;
  std::vector<StepGuard> guards_;
};

}  // namespace caddis::config
