// The files of web/pages, compiled in. Static, any thread.
#pragma once

#include <string_view>

namespace caddis::pages {

// The bytes of web/pages/<name>; empty if there is no such file.
std::string_view find_asset(std::string_view name);

}  // namespace caddis::pages
