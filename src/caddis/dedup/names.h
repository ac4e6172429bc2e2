// Names of strategies and likenesses, as commands, settings and reports write them.
#pragma once

#include <string_view>

#include "caddis/base/error.h"
#include "caddis/dedup/original.h"

namespace caddis::dedup {

// off, url, canonical, url-preferred, any.
std::string_view to_string(Strategy strategy);
Result<Strategy> strategy_from_name(std::string_view name);
// url, canonical, digest.
std::string_view to_string(Likeness likeness);

}  // namespace caddis::dedup
