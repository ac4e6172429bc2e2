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

// The condition, and the name of its rule, for lines with - in lists of seeds.
inline constexpr std::string_view kMinusLines = "minus-lines";

// Rules made before, by what they were made of: lists of expressions that many sites share are compiled once.
using PatternsLike = std::vector<std::pair<std::vector<std::string>, std::shared_ptr<const PatternList>>>;

// The rule that stands last if no other asks for that condition.
std::shared_ptr<const Rule> minus_lines_rule();

// ErrorCode::config for an expression that is none; names the setting.
Result<std::vector<std::shared_ptr<const Rule>>> shorthand_rules(const ScopeSettings& settings, PatternsLike& known);

}  // namespace caddis::scope
