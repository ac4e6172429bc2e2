#include "caddis/scope/rule_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"

namespace caddis::scope {

Result<RuleList> RuleList::from_file(std::string_view path, const ReadFile& read) {
  // A file that names itself would be read for ever: each is read with a reader that refuses the files above it.
  const ReadFile read_below = [&](const std::string& other) -> Result<std::string> {
    if (other == path)
      return fail(ErrorCode::config, fmt::format("{}: the rules of this file name the file itself", path));
    return read(other);
  };
  TRY(const std::string text, read(std::string(path)));
  std::vector<std::shared_ptr<const Rule>> rules;
  size_t number = 0;
  for (std::string_view line : split(text, '\n')) {
    ++number;
    line = trim(line);
    if (line.empty() || line.starts_with('#')) continue;
    auto rule = Rule::parse(line, read_below);
    if (!rule) return pass(std::move(rule).error(), fmt::format("{}:{}: '{}'", path, number, line));
    rules.push_back(std::make_shared<const Rule>(*std::move(rule)));
  }
  return RuleList(std::move(rules));
}

RuleList::Step::Step(const Rule& of, size_t at) : rule(&of), place(at), verdict(of.verdict()) {
  if (of.predicate() == nullptr) return;
  const auto single = of.predicate()->single();
  if (!single) return;
  condition = single->condition;
  is_negated = single->is_negated;
  greater_than = condition->greater_than().value_or(GreaterThan{});
}

inline bool RuleList::Step::ask(const Candidate& candidate, const SeedBook& seeds, Ruling& ruling) const {
  if (greater_than.measure != nullptr) {
    const auto number = greater_than.measure(candidate);
    const bool holds = number && *number > greater_than.bound;
    if (holds == is_negated) return false;
    ruling = {verdict, rule, {}};
    return true;
  }
  if (condition == nullptr) {
    ruling = rule->ask(candidate, seeds);
    return ruling.verdict != Verdict::none;
  }
  const auto found = condition->match(candidate, seeds);
  if (found.has_value() == is_negated) return false;
  ruling = {verdict, rule, found.value_or(std::string_view())};
  return true;
}

RuleList::RuleList(std::vector<std::shared_ptr<const Rule>> rules) : rules_(std::move(rules)) {
  for (size_t i = rules_.size(); i > 0; --i) {
    const Rule& rule = *rules_[i - 1];
    (rule.can_wait() ? waiting_ : at_once_).emplace_back(rule, i - 1);
    needs_address_ |= rule.needs_address();
  }
}

Ruling RuleList::ask(const Candidate& candidate, const SeedBook& seeds) const {
  Ruling ruling;
  size_t place = 0;  // of the rule that decided
  for (const Step& step : at_once_) {
    if (!step.ask(candidate, seeds, ruling)) continue;
    if (ruling.verdict == Verdict::reject) return ruling;
    place = step.place;
    break;
  }
  for (const Step& step : waiting_) {
    if (step.place < place) break;
    if (step.ask(candidate, seeds, ruling)) break;
  }
  return ruling;
}

bool RuleList::needs_answer() const {
  return std::ranges::any_of(rules_, [](const auto& rule) { return rule->needs_answer(); });
}

bool RuleList::asks(std::string_view condition) const {
  return std::ranges::any_of(rules_, [&](const auto& rule) { return rule->asks(condition); });
}

std::vector<ScopeKind> RuleList::seed_kinds() const {
  std::vector<ScopeKind> kinds;
  for (const auto& rule : rules_)
    for (const ScopeKind kind : rule->seed_kinds())
      if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(kind);
  return kinds;
}

}  // namespace caddis::scope
