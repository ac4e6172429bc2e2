// The built files of web/engine, compiled in (cmake/EmbedAssets.cmake). Static, any thread.
#pragma once

#include <string_view>

namespace caddis::webui {

// The file of that name; empty if there is none.
std::string_view find_asset(std::string_view name);

}  // namespace caddis::webui
