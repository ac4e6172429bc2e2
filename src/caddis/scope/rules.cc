#include "caddis/scope/rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/io/files.h"

namespace caddis::scope {
namespace {

constexpr std::string_view kShorthand = "shorthand";
constexpr size_t kMostOfAFile = 64 << 20;

Result<Rule> rule_of(const std::string& text) {
  TRY(Rule rule, Rule::parse(text, read_rule_file));
  if (rule.needs_answer())
    return fail(ErrorCode::config,
                "the server has not answered when the scope is asked: such a rule can guard a step (pipeline.guard)");
  return rule;
}

// Settings that only the shorthand reads, and that differ from what they are by default.
Result<void> check_unread(const ScopeSettings& settings) {
  const ScopeSettings defaults;
  const std::vector<std::string_view> read_anyway = {"rules", "seed-redirects", "max-seed-redirects"};
  for (const settings::Field& field : settings::schema_of<ScopeSettings>().fields()) {
    if (std::ranges::find(read_anyway, field.name) != read_anyway.end()) continue;
    if (field.get(&settings) != field.get(&defaults))
      return fail(ErrorCode::config,
                  fmt::format("scope.{} is set, but scope.rules does not ask for it: add the rule 'shorthand', or say "
                              "the same by a rule",
                              field.name));
  }
  return {};
}

}  // namespace

Result<std::string> read_rule_file(const std::string& path) {
  // A crawl is resumed from wherever its operator stands then.
  if (!path.starts_with('/')) return fail(ErrorCode::config, fmt::format("@{}: give the whole path of the file", path));
  return io::real_files().read_all(path, kMostOfAFile);
}

Result<void> check_rule(std::string_view text) {
  if (text == kShorthand) return {};
  TRY([[maybe_unused]] const Rule rule, rule_of(std::string(text)));
  return {};
}

Result<SiteRules> SiteRules::create(const ScopeSettings& settings, const std::vector<const SiteRules*>& like) {
  SiteRules made{settings, nullptr, {}};
  for (const SiteRules* other : like)
    made.patterns.insert(made.patterns.end(), other->patterns.begin(), other->patterns.end());
  std::vector<std::shared_ptr<const Rule>> rules;
  if (settings.rules.empty()) {
    TRY(rules, shorthand_rules(settings, made.patterns));
  }
  bool has_shorthand = settings.rules.empty();
  for (size_t i = 0; i < settings.rules.size(); ++i) {
    if (settings.rules[i] == kShorthand) {
      TRY(auto meant, shorthand_rules(settings, made.patterns));
      rules.insert(rules.end(), meant.begin(), meant.end());
      has_shorthand = true;
      continue;
    }
    auto rule = rule_of(settings.rules[i]);
    if (!rule) return pass(std::move(rule).error(), fmt::format("rules[{}]: '{}'", i + 1, settings.rules[i]));
    rules.push_back(std::make_shared<const Rule>(*std::move(rule)));
  }
  if (!has_shorthand) TRY_VOID(check_unread(settings));
  made.list = std::make_shared<const RuleList>(std::move(rules));
  return made;
}

}  // namespace caddis::scope
