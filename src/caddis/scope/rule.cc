#include "caddis/scope/rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <set>

#include "caddis/base/strings.h"
#include "caddis/scope/rule_list.h"

namespace caddis::scope {
namespace {

// The name under which a rule is counted and logged. Few: the rules that people wrote since the process began.
std::string_view kept_name(std::string_view text) {
  constexpr size_t kLongest = 120;
  static std::mutex mutex;
  static std::set<std::string, std::less<>> names;
  const std::lock_guard lock(mutex);
  return *names.emplace(text.substr(0, kLongest)).first;
}

}  // namespace

Result<Rule> Rule::parse(std::string_view text, const ReadFile& read) {
  Rule rule;
  rule.is_written_ = true;
  std::string_view rest = trim(text);
  rule.lines_.emplace_back(rest);
  rule.name_ = kept_name(rest);
  const std::string_view verdict = cut_word(rest);
  if (verdict == "rules" && rest.starts_with('@')) {
    TRY(auto nested, RuleList::from_file(rest.substr(1), read));
    rule.nested_ = std::make_shared<const RuleList>(std::move(nested));
    return rule;
  }
  if (verdict != "accept" && verdict != "reject")
    return fail(ErrorCode::config,
                verdict == "shorthand"
                    ? "'shorthand' stands in scope.rules alone, not in a file"
                    : "a rule is 'accept CONDITION', 'reject CONDITION', 'rules @FILE' or 'shorthand', as in 'reject "
                      "hops > 5' or 'accept not host example.org'");
  rule.verdict_ = verdict == "accept" ? Verdict::accept : Verdict::reject;
  TRY(rule.predicate_, Predicate::parse(rest.empty() ? "all" : rest, rule.verdict_, read));
  rule.can_wait_ = rule.verdict_ == Verdict::reject && rule.predicate_->is_costly();
  return rule;
}

Rule::Rule(Verdict verdict, std::string_view name, std::vector<std::string> lines, Predicate predicate)
    : verdict_(verdict), name_(kept_name(name)), lines_(std::move(lines)), predicate_(std::move(predicate)) {
  can_wait_ = verdict == Verdict::reject && predicate_->is_costly();
}

Ruling Rule::ask(const Candidate& candidate, const SeedBook& seeds) const {
  if (nested_ != nullptr) return nested_->ask(candidate, seeds);
  const auto found = predicate_->match(candidate, seeds);
  if (!found) return {};
  return {verdict_, this, *found};
}

std::string Rule::explain(const Candidate& candidate, const SeedBook& seeds) const {
  return predicate_ ? predicate_->explain(candidate, seeds) : std::string();
}

bool Rule::needs_answer() const { return nested_ != nullptr ? nested_->needs_answer() : predicate_->needs_answer(); }

bool Rule::needs_address() const { return nested_ != nullptr ? nested_->needs_address() : predicate_->needs_address(); }

bool Rule::asks(std::string_view condition) const {
  if (nested_ != nullptr) return nested_->asks(condition);
  const auto kinds = predicate_->kinds();
  return std::ranges::find(kinds, condition, &RuleKind::name) != kinds.end();
}

std::vector<ScopeKind> Rule::seed_kinds() const {
  return nested_ != nullptr ? nested_->seed_kinds() : predicate_->seed_kinds();
}

}  // namespace caddis::scope
