// The version of a crawl's state: all rows, streams and files below `state/` together ("caddis-crawl 9").
#pragma once

#include <string>
#include <string_view>

#include "caddis/base/error.h"

namespace caddis::crawl {

// ErrorCode::unsupported where this Caddis does not read `format`, and what to do instead: it is told whether the state
// is older or newer. `where`: the folder that holds it.
Result<void> check_format(std::string_view format, std::string_view where);

}  // namespace caddis::crawl
