// The environment of a child: variables that say where it is and how it is to speak, and no others. A crawl has secrets
// in its own (`${NAME}` in its settings), and what a child reads or runs comes from strangers.
#pragma once

#include <string>
#include <vector>

namespace caddis::process {

// Returns those of `environment` (as `environ` has them: the last is null) that a child gets, as "NAME=value": PATH, HOME
// and their like, and the proxies whose URLs have no password (docs/programs.md).
std::vector<std::string> environment_of_children(const char* const* environment);

}  // namespace caddis::process
