// The files of web/replay, compiled in. Static, any thread.
#pragma once

#include <string_view>

namespace caddis::replay {

// The bytes of web/replay/<name>; empty where there is no such file.
std::string_view find_asset(std::string_view name);

}  // namespace caddis::replay
