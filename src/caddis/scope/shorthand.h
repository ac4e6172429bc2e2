// The rules that the other settings of the section `scope` stand for, in Heritrix's order. Internal to scope.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/scope/pattern_list.h"
#include "caddis/scope/rule.h"
#include "caddis/scope/scope_settings.h"

namespace caddis::scope {

// Rules made before, by what they were made of: lists of expressions that many sites share are compiled once.
using PatternsLike = std::vector<std::pair<std::vector<std::string>, std::shared_ptr<const PatternList>>>;

// ErrorCode::config for an expression that is none; names the setting.
Result<std::vector<std::shared_ptr<const Rule>>> shorthand_rules(const ScopeSettings& settings, PatternsLike& known);

}  // namespace caddis::scope
