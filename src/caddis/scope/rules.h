// The rules of a scope that may differ between sites: settings with their expressions compiled.
//
// Immutable, any thread. Copies share what is compiled, so that rules for many sites that differ in numbers cost
// little.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/scope/pattern_list.h"
#include "caddis/scope/scope_settings.h"

namespace caddis::scope {

struct SiteRules {
  ScopeSettings settings;
  std::shared_ptr<const PatternList> include, exclude, useless;

  // Lists of expressions that are the same in one of `like` are taken from there. Fails on one that is no RE2
  // expression, and names it.
  static Result<SiteRules> create(const ScopeSettings& settings, const std::vector<const SiteRules*>& like = {});
};

}  // namespace caddis::scope
