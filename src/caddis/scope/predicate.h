// Conditions joined by "and": what rules, and guards of steps, ask of a URL.
//
//   predicate = condition *(" and " condition)
//   condition = ["not"] NAME [ARGUMENTS]        ; rule_kinds.h
//
// Immutable, any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/scope/condition.h"
#include "caddis/scope/rule_kinds.h"

namespace caddis::scope {

class Predicate {
 public:
  // `verdict`: of the rule that asks it. ErrorCode::config names the part that is wrong.
  static Result<Predicate> parse(std::string_view text, Verdict verdict, const ReadFile& read);
  // One condition that is at hand.
  Predicate(const RuleKind& kind, std::unique_ptr<const Condition> condition, bool is_negated);

  // Returns what it found, which may be empty; nothing if it does not hold. A condition about the server does not hold
  // before what it asks for is known, negated or not.
  std::optional<std::string_view> match(const Candidate& candidate, const SeedBook& seeds) const;
  // The reason for which it holds: "21 hops from the seed, 20 are allowed".
  std::string explain(const Candidate& candidate, const SeedBook& seeds) const;

  // The condition, if it is a single one that may be asked of any candidate.
  struct Single {
    const Condition* condition = nullptr;
    bool is_negated = false;
  };
  std::optional<Single> single() const;

  std::vector<const RuleKind*> kinds() const;
  bool needs_answer() const;
  bool needs_address() const;
  bool is_costly() const;
  std::vector<ScopeKind> seed_kinds() const;

 private:
  struct Term {
    bool is_negated = false;
    const RuleKind* kind = nullptr;
    std::shared_ptr<const Condition> condition;
  };
  Predicate() = default;
  static Result<Term> parse_term(std::string_view text, Verdict verdict, const ReadFile& read);

  std::vector<Term> terms_;
};

// The part in front of the first blank; leaves what follows it.
std::string_view cut_word(std::string_view& rest);

}  // namespace caddis::scope
