// Rules and decisions as JSON, for the API of a server and for scripts. The names are those of the file. Pure, any
// thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/viewing/rule_set.h"

namespace caddis::viewing {

std::string rule_json(const Rule& rule);
// {"default", "message", "rules": […], "decided": {…}}; the last one has the counts of rules by their ids, if somebody counts.
std::string rules_json(const RuleList& list);

// A decision with its reasons, as `caddis access check` shows it.
struct Explanation {
  std::string file;  // where the rules stand
  std::vector<Finding> findings;
  Decision decision;  // by the rules of this file
};
// One line for each rule, and the decision.
std::string explanation_text(const Explanation& explanation);
std::string explanation_json(const Explanation& explanation);
// The first that holds, or what the list says of the rest.
Decision decision_of(const RuleSet& rules, const std::vector<Finding>& findings);

}  // namespace caddis::viewing
