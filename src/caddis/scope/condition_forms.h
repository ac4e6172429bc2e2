// The forms that many conditions share: a number compared, an expression found, a flag. Internal to scope.
#pragma once

#include <fmt/format.h>

#include "caddis/scope/condition_makers.h"
#include "caddis/scope/numbers.h"

namespace caddis::scope {

// `unit` follows the number in sentences: "hops from the seed".
MadeCondition compare(const Arguments& arguments, Measure measure, std::string_view unit);

// A text of the candidate; null if there is none.
using TextOf = std::optional<std::string_view> (*)(const Candidate&);
MadeCondition search(const Arguments& arguments, TextOf text_of, std::string_view what);

// The SURT of a URL; nothing if there is none.
using SurtOf = std::optional<std::string> (*)(const Candidate&);
// `sites`: hosts, URL prefixes and SURT prefixes. `what` stands before the verb in sentences: "its SURT".
MadeCondition begin_with(const std::vector<std::string>& sites, SurtOf surt_of, std::string_view what);

using Test = bool (*)(const Candidate&);
// Takes no arguments. `sentence` is what to say if it holds, `unlike` if it does not.
MadeCondition test(const Arguments& arguments, Test test, std::string_view sentence, std::string_view unlike);

}  // namespace caddis::scope
