// Asks `caddis serve` for captures, as a browser would ask.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/selftest/site.h"

namespace caddis::selftest {

// Serves the collection, asks for each page that was captured whole, and holds what is answered against what the site
// has. Returns what is wrong, in words. `origin`: of the site. `answers`: counts what was asked.
Result<std::vector<std::string>> check_replay(const std::string& caddis, const std::string& collection,
                                              const std::string& origin, const Site& site, size_t& answers);

}  // namespace caddis::selftest
