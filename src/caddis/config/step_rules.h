// Which steps of a pipeline a visit passes by: those that are disabled, and those whose guards say so. The guard of the
// body (kBody) says which bodies the step `fetch` receives.
//
// Immutable, any thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/config/pipeline_settings.h"
#include "caddis/scope/candidate.h"
#include "caddis/scope/predicate.h"

namespace caddis::config {

// Guarded like a step: the part of a fetch behind the head of the response.
inline constexpr std::string_view kBody = "body";

// One entry of `pipeline.guard`: "extract: mime ^text/", "records: not status 500..599". The step is taken if the
// predicate holds.
struct StepGuard {
  // ErrorCode::config says how one is written.
  static Result<StepGuard> parse(std::string_view text, const scope::ReadFile& read);

  std::string step;
  scope::Predicate predicate;
};

// Guards by their text: what many sets of sheets share is read once.
using GuardBook = std::map<std::string, StepGuard, std::less<>>;
// Adds those that are missing.
Result<void> read_guards(const PipelineSettings& settings, const scope::ReadFile& read, GuardBook& guards);

class StepRules {
 public:
  // Returns null if every step is taken. `guards` has all of the settings; `countries` may be null.
  static std::shared_ptr<const StepRules> create(const PipelineSettings& settings, const GuardBook& guards,
                                                 std::shared_ptr<const scope::Countries> countries);
  bool lets_run(std::string_view step, const scope::Candidate& visited) const;
  bool has_guard(std::string_view step) const;

 private:
  std::vector<std::string> disabled_;
  std::vector<StepGuard> guards_;
  std::shared_ptr<const scope::Countries> countries_;
};

}  // namespace caddis::config
