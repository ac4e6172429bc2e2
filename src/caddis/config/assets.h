// The profiles that ship, compiled in from profiles/ (cmake/EmbedAssets.cmake).
#pragma once

#include <string_view>

namespace caddis::config {

// The file of that name; empty if there is none.
std::string_view find_asset(std::string_view name);

}  // namespace caddis::config
