// The version as `caddis --version` tells it.
#pragma once

#include <string>

namespace caddis::cli {

// "caddis 0.1.0 (2f3a4b5c)"; without the commit if the sources came without one.
std::string version_line();

}  // namespace caddis::cli
