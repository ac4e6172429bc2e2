// The order in which rules about one URL are asked, and the prefixes of keys that a rule is about. Internal to the module: for the
// rules that are asked (rule_set.cc) and for those that are written for others (outback_export.cc).
//
// Pure functions, any thread.
#pragma once

#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/viewing/rule.h"

namespace caddis::viewing {

// The place of a rule in the order: that of the lower rank is asked first.
using RuleRank = std::tuple<int, int, std::ptrdiff_t, int, bool, std::ptrdiff_t>;
// `exactness` is that of the subject, `length` that of the prefix by which it fits (0 for other kinds), `place` that of the rule in
// its list.
RuleRank rank_of(const Rule& rule, int exactness, size_t length, size_t place);
// How exactly such a subject names URLs; 0 is everything.
int exactness_of(Subject::Kind kind);
// How exactly it names those for whom it holds; 0 is everybody.
int exactness_of_viewer(const Rule& rule);

// The prefixes of keys that a prefix, a host or a domain stands for. The first one of a host or domain is "com,example)".
// ErrorCode::config for what is no host.
Result<std::vector<std::string>> prefixes_of(const Subject& subject);

}  // namespace caddis::viewing
