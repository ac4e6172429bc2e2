// The description of the API, compiled in from api/engine.yaml (cmake/EmbedAssets.cmake).
#pragma once

#include <string_view>

namespace caddis::harvestserver {

// The file of that name; empty if there is none.
std::string_view find_asset(std::string_view name);

}  // namespace caddis::harvestserver
