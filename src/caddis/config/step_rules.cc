#include "caddis/config/step_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "caddis/base/check.h"
#include "caddis/base/strings.h"
#include "caddis/base/visible.h"

namespace caddis::config {
namespace {

constexpr std::string_view kFields[] = {"status", "mime", "scheme", "host", "url"};  // by StepGuard::Field

std::unexpected<Error> no_guard(std::string_view text) {
  return fail(
      ErrorCode::config,
      fmt::format("'{}' is no guard: write STEP: FIELD EXPRESSION, as in 'extract: mime ^text/' or 'records: not "
                  "status ^5'; fields are {}",
                  visible(text, kQuoted), fmt::join(kFields, ", ")));
}

// Returns what stands before the first blank, and leaves what follows it.
std::string_view cut_word(std::string_view& rest) {
  const size_t blank = std::min(rest.find(' '), rest.size());
  const std::string_view word = rest.substr(0, blank);
  rest = trim(rest.substr(blank));
  return word;
}

}  // namespace

Result<StepGuard> StepGuard::parse(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return no_guard(text);
  StepGuard guard;
  guard.step = trim(text.substr(0, colon));
  std::string_view rest = trim(text.substr(colon + 1));
  std::string_view field = cut_word(rest);
  if (field == "not") {
    guard.is_negated = true;
    field = cut_word(rest);
  }
  const auto* const known = std::ranges::find(kFields, field);
  if (known == std::end(kFields) || rest.empty()) return no_guard(text);
  guard.field = static_cast<Field>(known - std::begin(kFields));
  TRY(guard.expression, scope::PatternList::create("guard", {std::string(rest)}));
  return guard;
}

bool StepGuard::holds(const StepFacts& facts) const {
  std::string status;
  std::string_view text;
  switch (field) {
    case Field::status:
      status = std::to_string(facts.status);
      text = status;
      break;
    case Field::mime:
      text = facts.mime;
      break;
    case Field::scheme:
      text = facts.url.scheme();
      break;
    case Field::host:
      text = facts.url.hostname();
      break;
    case Field::url:
      text = facts.url.without_fragment();
      break;
  }
  return expression.find(text).empty() == is_negated;
}

std::shared_ptr<const StepRules> StepRules::create(const PipelineSettings& settings) {
  if (settings.disable.empty() && settings.guard.empty()) return nullptr;
  auto rules = std::make_shared<StepRules>();
  rules->disabled_ = settings.disable;
  for (const std::string& text : settings.guard) {
    auto guard = StepGuard::parse(text);
    CADDIS_CHECK(guard.has_value());
    rules->guards_.push_back(*std::move(guard));
  }
  return rules;
}

bool StepRules::lets_run(std::string_view step, const StepFacts& facts) const {
  if (std::ranges::find(disabled_, step) != disabled_.end()) return false;
  return std::ranges::all_of(guards_, [&](const StepGuard& guard) { return guard.step != step || guard.holds(facts); });
}

}  // namespace caddis::config
