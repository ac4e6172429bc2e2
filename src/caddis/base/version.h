// The version of Caddis, as it stands in user agents and warcinfo records.
#pragma once

#include <string_view>

namespace caddis {
inline constexpr std::string_view kVersion = "0.1.0";
}
