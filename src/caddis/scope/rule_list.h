// Rules in their order. The last one that says something decides, as in Heritrix's sequences.
//
// They are asked from the last to the first, and the first answer counts. Rules that cost much and only reject wait
// until something else has accepted: that changes no verdict, only which of several rules that reject is named.
// Immutable, any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/scope/rule.h"

namespace caddis::scope {

class RuleList {
 public:
  explicit RuleList(std::vector<std::shared_ptr<const Rule>> rules);
  // A rule a line; blank lines and those that begin with "#" are left out. ErrorCode::config names file and line. Files
  // that name each other are refused.
  static Result<RuleList> from_file(std::string_view path, const ReadFile& read);

  // Verdict::none if no rule says anything.
  Ruling ask(const Candidate& candidate, const SeedBook& seeds) const;

  const std::vector<std::shared_ptr<const Rule>>& rules() const { return rules_; }
  bool needs_answer() const;
  // Whether a rule asks for the address of the server: the list is asked once more when that is known.
  bool needs_address() const { return needs_address_; }
  std::vector<ScopeKind> seed_kinds() const;
  bool asks(std::string_view condition) const;

 private:
  // A rule as it is asked: the list is gone through for every link, so most rules are asked without a way over objects.
  struct Step {
    const Rule* rule = nullptr;
    size_t place = 0;                      // in the list
    const Condition* condition = nullptr;  // the only one of the rule; null: the rule is to be asked
    GreaterThan greater_than = {};         // without a measure: the condition is to be asked
    Verdict verdict = Verdict::none;
    bool is_negated = false;

    explicit Step(const Rule& of, size_t at);
    // Whether the rule says something: then `ruling` tells what, and is otherwise left alone.
    bool ask(const Candidate& candidate, const SeedBook& seeds, Ruling& ruling) const;
  };

  std::vector<std::shared_ptr<const Rule>> rules_;
  // Steps of `rules_`, from the last to the first.
  std::vector<Step> at_once_, waiting_;
  bool needs_address_ = false;
};

}  // namespace caddis::scope
