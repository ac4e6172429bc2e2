// The rules of a scope that may differ between sites: settings, and the list that they stand for.
//
// Immutable, any thread. Copies share what is compiled, so that rules for many sites that differ in numbers cost
// little.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/scope/rule_list.h"
#include "caddis/scope/scope_settings.h"
#include "caddis/scope/shorthand.h"

namespace caddis::scope {

struct SiteRules {
  ScopeSettings settings;
  std::shared_ptr<const RuleList> list;
  PatternsLike patterns;  // of the settings

  // Compiled lists of expressions that one of `like` has, too, are taken from there. Fails on an expression that is
  // none, and on a rule that is none, and names it.
  static Result<SiteRules> create(const ScopeSettings& settings, const std::vector<const SiteRules*>& like = {});
};

// Reads a file that a rule or a guard names.
Result<std::string> read_rule_file(const std::string& path);
// Returns what is wrong with a line of scope.rules; files that it names are read.
Result<void> check_rule(std::string_view text);

}  // namespace caddis::scope
