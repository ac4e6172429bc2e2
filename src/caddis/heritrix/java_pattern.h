// Regular expressions of Java as RE2 has them. Heritrix's must match a text as a whole, Caddis's are found anywhere in it.
#pragma once

#include <string>
#include <string_view>

#include "caddis/base/error.h"

namespace caddis::heritrix {

// The same expression in RE2's syntax. ErrorCode::unsupported for what RE2 cannot do: looking ahead and behind, references
// to groups, intersections of classes. What RE2 itself refuses besides is found out by whoever compiles it.
Result<std::string> re2_syntax(std::string_view java);

// An expression that is found in a text where `java` matches all of it: ".*foo.*" is "foo".
Result<std::string> re2_search(std::string_view java);

}  // namespace caddis::heritrix
