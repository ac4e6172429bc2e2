// One rule of a scope: what it says about a URL if its predicate holds.
//
//   rule    = verdict [predicate]       ; without one: for every URL
//           / "rules" "@" FILE          ; a list in the list: what that says
//   verdict = "accept" / "reject"
//
// Immutable, any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/scope/predicate.h"

namespace caddis::scope {

class Rule;
class RuleList;

// The answer of a rule, or of a list of rules.
struct Ruling {
  Verdict verdict = Verdict::none;
  const Rule* by = nullptr;      // the rule that decided; null if none did
  std::string_view detail = {};  // the pattern, prefix, host or domain that it found
};

class Rule {
 public:
  // ErrorCode::config names the part that is wrong.
  static Result<Rule> parse(std::string_view text, const ReadFile& read);
  // A rule that a setting stands for, under the setting's name. `lines`: how it is written.
  Rule(Verdict verdict, std::string_view name, std::vector<std::string> lines, Predicate predicate);

  Ruling ask(const Candidate& candidate, const SeedBook& seeds) const;
  // The verdict if its predicate holds; none if it is a list in the list.
  Verdict verdict() const { return verdict_; }
  // Null if it is a list in the list.
  const Predicate* predicate() const { return predicate_ ? &*predicate_ : nullptr; }
  // The reason for which it says so, if it does.
  std::string explain(const Candidate& candidate, const SeedBook& seeds) const;

  // As rules of scope.rules; a setting that is a list stands for several.
  const std::vector<std::string>& lines() const { return lines_; }
  // Its verdicts are counted under this: the setting's name, or the rule as it is written. Valid for good, since
  // whoever counts may outlive the rule.
  std::string_view name() const { return name_; }
  // It was written as a rule, and no setting stands for it.
  bool is_written() const { return is_written_; }
  // It rejects, and is better asked after rules that cost less.
  bool can_wait() const { return can_wait_; }
  bool needs_answer() const;
  bool needs_address() const;
  std::vector<ScopeKind> seed_kinds() const;
  // Whether a condition of that name is asked, be it by a list in the list.
  bool asks(std::string_view condition) const;

 private:
  Rule() = default;

  Verdict verdict_ = Verdict::none;
  std::string_view name_;
  std::vector<std::string> lines_;
  std::optional<Predicate> predicate_;  // or
  std::shared_ptr<const RuleList> nested_;
  bool can_wait_ = false, is_written_ = false;
};

}  // namespace caddis::scope
