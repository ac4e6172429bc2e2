#include "caddis/scope/rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/io/files.h"

namespace caddis::scope {
namespace {

constexpr std::string_view kShorthand = "shorthand";
constexpr size_t kMostOfAFile = 64 << 20;

Result<Rule> rule_of(const std::string& text, const ReadFile& read) {
  TRY(Rule rule, Rule::parse(text, read));
  if (rule.needs_answer())
    return fail(ErrorCode::config,
                "the server has not answered when the scope is asked: such a rule can guard a step (pipeline.guard)");
  return rule;
}

// A crawl is resumed from wherever its operator stands then.
Result<void> check_path(const std::string& path) {
  if (path.starts_with('/')) return {};
  return fail(ErrorCode::config, fmt::format("@{}: give the whole path of the file", path));
}

std::shared_ptr<const Rule> find_rule(const std::vector<const SiteRules*>& like, const std::string& text) {
  for (const SiteRules* other : like)
    for (const auto& rule : other->list->rules())
      if (rule->is_written() && rule->lines().front() == text) return rule;
  return nullptr;
}

}  // namespace

Result<std::string> read_rule_file(const std::string& path) { return read_rule_file_of(io::real_files(), path); }

Result<std::string> read_rule_file_of(io::Files& files, const std::string& path) {
  TRY_VOID(check_path(path));
  return files.read_all(path, kMostOfAFile);
}

Result<std::string> read_no_file(const std::string& path) {
  TRY_VOID(check_path(path));
  return std::string();
}

Result<void> check_rule(std::string_view text) {
  if (text == kShorthand) return {};
  if (auto rule = rule_of(std::string(text), read_no_file); !rule)
    return pass(std::move(rule).error(), fmt::format("'{}'", text));
  return {};
}

Result<void> validate(const ScopeSettings& settings) {
  if (settings.schemes.empty()) return fail(ErrorCode::config, "scope.schemes is empty: nothing could be crawled");
  const bool asks_settings =
      settings.rules.empty() || std::ranges::find(settings.rules, kShorthand) != settings.rules.end();
  if (asks_settings) return {};
  const ScopeSettings defaults;
  const std::vector<std::string_view> read_anyway = {"rules", "seed-redirects", "max-seed-redirects", "reread-files"};
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

Result<SiteRules> SiteRules::create(const ScopeSettings& settings, const std::vector<const SiteRules*>& like,
                                    const ReadFile& read) {
  SiteRules made{settings, nullptr, {}};
  for (const SiteRules* other : like)
    made.patterns.insert(made.patterns.end(), other->patterns.begin(), other->patterns.end());
  std::vector<std::shared_ptr<const Rule>> rules;
  const std::vector<std::string> texts = settings.rules.empty() ? std::vector{std::string(kShorthand)} : settings.rules;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (texts[i] == kShorthand) {
      TRY(auto meant, shorthand_rules(settings, made.patterns));
      rules.insert(rules.end(), meant.begin(), meant.end());
    } else if (auto known = find_rule(like, texts[i])) {
      rules.push_back(std::move(known));
    } else {
      auto rule = rule_of(texts[i], read);
      if (!rule) return pass(std::move(rule).error(), fmt::format("rules[{}]: '{}'", i + 1, texts[i]));
      rules.push_back(std::make_shared<const Rule>(*std::move(rule)));
    }
  }
  const auto asks_minus_lines = [](const auto& rule) { return rule->asks(kMinusLines); };
  if (std::ranges::none_of(rules, asks_minus_lines)) rules.push_back(minus_lines_rule());
  made.list = std::make_shared<const RuleList>(std::move(rules));
  return made;
}

}  // namespace caddis::scope
