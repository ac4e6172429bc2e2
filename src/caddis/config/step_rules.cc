#include "caddis/config/step_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/check.h"
#include "caddis/base/strings.h"
#include "caddis/base/visible.h"
#include "caddis/scope/rules.h"

namespace caddis::config {
namespace {

std::unexpected<Error> no_guard(std::string_view text) {
  return fail(
      ErrorCode::config,
      fmt::format("'{}' is no guard: write STEP: CONDITION, as in 'extract: mime ^text/' or 'records: not status "
                  "500..599'",
                  visible(text, kQuoted)));
}

}  // namespace

Result<StepGuard> StepGuard::parse(std::string_view text, const scope::ReadFile& read) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return no_guard(text);
  const std::string_view asked = trim(text.substr(colon + 1));
  if (asked.empty()) return no_guard(text);
  auto predicate = scope::Predicate::parse(asked, scope::Verdict::accept, read);
  if (!predicate) return pass(std::move(predicate).error(), fmt::format("'{}'", visible(text, kQuoted)));
  if (asked.contains("identical-digest"))
    return fail(ErrorCode::config, "identical-digest is not known when a guard is asked");
  if (!predicate->seed_kinds().empty())
    return fail(ErrorCode::config,
                "a guard cannot ask for the seeds' hosts: write 'seed', 'host NAME' or 'domain NAME'");
  return StepGuard{std::string(trim(text.substr(0, colon))), *std::move(predicate)};
}

Result<void> read_guards(const PipelineSettings& settings, const scope::ReadFile& read, GuardBook& guards) {
  for (const std::string& text : settings.guard) {
    if (guards.contains(text)) continue;
    TRY(StepGuard guard, StepGuard::parse(text, read));
    guards.emplace(text, std::move(guard));
  }
  return {};
}

std::shared_ptr<const StepRules> StepRules::create(const PipelineSettings& settings, const GuardBook& guards,
                                                   std::shared_ptr<const scope::Countries> countries) {
  if (settings.disable.empty() && settings.guard.empty()) return nullptr;
  auto rules = std::make_shared<StepRules>();
  rules->disabled_ = settings.disable;
  rules->countries_ = std::move(countries);
  for (const std::string& text : settings.guard) {
    const auto guard = guards.find(text);
    CADDIS_CHECK(guard != guards.end());
    rules->guards_.push_back(guard->second);
  }
  return rules;
}

bool StepRules::has_guard(std::string_view step) const {
  return std::ranges::find(guards_, step, &StepGuard::step) != guards_.end();
}

bool StepRules::lets_run(std::string_view step, const scope::Candidate& visited) const {
  static const scope::SeedBook no_seeds({}, {});
  if (std::ranges::find(disabled_, step) != disabled_.end()) return false;
  scope::Candidate asked = visited;
  scope::Answer answer;
  if (visited.answer != nullptr) {
    answer = *visited.answer;
    answer.countries = countries_.get();
    asked.answer = &answer;
  }
  return std::ranges::all_of(guards_, [&](const StepGuard& guard) {
    return guard.step != step || guard.predicate.match(asked, no_seeds).has_value();
  });
}

}  // namespace caddis::config
