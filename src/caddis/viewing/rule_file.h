// The file of access rules that people write (YAML; grammar in docs/formats/access-rules.md): parsed, written, and
// changed rule by rule so that comments and order stay.
//
// Pure functions, any thread. Bounded: kLargestRuleFile of text, kMostRules of rules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/viewing/rule.h"
#include "caddis/viewing/rule_set.h"

namespace caddis::viewing {

inline constexpr uint64_t kLargestRuleFile = 64 << 20;
inline constexpr size_t kMostRules = 200'000;

// ErrorCode::config with file and line, for the first thing that is wrong.
Result<RuleList> parse_rules(std::string_view text, std::string_view file_name);
// One rule by itself: the names and values of an item of the list; JSON is taken, too.
Result<Rule> parse_rule(std::string_view text, std::string_view source);
// Returns a text that `parse_rules` reads back.
std::string format_rules(const RuleList& list);
// One rule as an item of `rules`, indented by two.
std::string format_rule(const Rule& rule);
// Whether it is an id that a rule without one has by its line: "line-7".
bool is_id_of_line(std::string_view id);

// The text with these rules, behind those there are. ErrorCode::conflict if there is one of an id already, config if the
// file is written in a way that this cannot change: it says what to do.
Result<std::string> with_rules(std::string_view text, std::string_view file_name, const std::vector<Rule>& rules);
// ErrorCode::not_found if there is no rule of that id.
Result<std::string> without_rule(std::string_view text, std::string_view file_name, std::string_view id);

}  // namespace caddis::viewing
