// DecideRules of Heritrix as rules of Caddis (docs/rules.md): whole sequences for the scope, one condition for guards of
// steps and for sheets.
//
// Each rule, and each of its properties, is told of in the report.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/heritrix/import.h"

namespace caddis::heritrix {

// "reject path-depth > 3 and not host a.org".
struct RuleLine {
  bool rejects = false;
  std::vector<std::string> terms;  // conditions, all of which must hold
  std::string text() const;
};

// The place of rules: it decides which conditions may be asked there.
enum class RuleUse {
  scope,  // of links
  guard,  // of answers, too
  sheet   // of URLs alone
};

// The lines that one rule stands for; none if it says nothing, has no equivalent, or cannot stand there.
std::vector<RuleLine> rule_lines(Import& import, const Bean& rule, RuleUse use);
// The lines of a DecideRuleSequence, of all its rules.
std::vector<RuleLine> sequence_lines(Import& import, const Bean& sequence, RuleUse use);

// Whether it is a rule that does not ask anything: it accepts all, or has no rules.
bool accepts_all(const BeanTree& tree, const BeanValue& value);

}  // namespace caddis::heritrix
