// docs/rules.md, from the table of conditions and their cases.
#pragma once

#include <string>

namespace caddis::scope {

std::string rules_markdown();

}  // namespace caddis::scope
