// Which settings of a configuration a curator may write: how far, how politely and how long its sites are crawled. All others
// reach the harvester itself, or what others harvest.
//
// Pure; any thread.
#pragma once

#include <string_view>

#include "caddis/base/error.h"

namespace caddis::harvest {

// Looks at what is written, be it a default. No module is loaded, and no secret looked up. ErrorCode::denied names what needs
// an operator, ErrorCode::config what is no YAML.
Result<void> check_settings_of_curators(std::string_view yaml);

}  // namespace caddis::harvest
