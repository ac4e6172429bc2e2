// Files that browsers get, compiled in from web/control (cmake/EmbedAssets.cmake).
#pragma once

#include <string_view>

namespace caddis::control {

// The file of that name; empty if there is none.
std::string_view find_asset(std::string_view name);

}  // namespace caddis::control
