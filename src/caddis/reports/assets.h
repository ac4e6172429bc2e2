// Files that the page of reports is made of, compiled in from web/reports (cmake/EmbedAssets.cmake).
#pragma once

#include <string_view>

namespace caddis::reports {

// The file of that name; empty if there is none.
std::string_view find_asset(std::string_view name);

}  // namespace caddis::reports
