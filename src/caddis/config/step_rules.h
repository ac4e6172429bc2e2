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
#include "caddis/scope/pattern_list.h"
#include "caddis/url/url.h"

namespace caddis::config {

// The facts about a visit so far; borrowed for the call.
struct StepFacts {
  const url::Url& url;
  int status = 0;              // 0: not known yet
  std::string_view mime = {};  // without parameters
};

// One entry of `pipeline.guard`: "extract: mime ^text/", "records: not status ^5".
struct StepGuard {
  enum class Field { status, mime, scheme, host, url };

  // ErrorCode::config says how one is written.
  static Result<StepGuard> parse(std::string_view text);
  bool holds(const StepFacts& facts) const;
  // Whether only the server's answer tells.
  bool needs_answer() const { return field == Field::status || field == Field::mime; }

  std::string step;
  Field field = Field::url;
  bool is_negated = false;
  scope::PatternList expression;
};

class StepRules {
 public:
  // Returns null if every step is taken. `settings` were validated.
  static std::shared_ptr<const StepRules> create(const PipelineSettings& settings);
  bool lets_run(std::string_view step, const StepFacts& facts) const;

 private:
  std::vector<std::string> disabled_;
  std::vector<StepGuard> guards_;
};

}  // namespace caddis::config
