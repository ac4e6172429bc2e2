// The sites of a sheet as its author writes them, as SURT prefixes. Internal to scope.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::scope {

// The prefixes that stand for a host with its sub-domains, a URL prefix or a SURT prefix, or for
// "file:" or a folder of this machine; ErrorCode::config with what
// is wrong with it, also where no URL could ever begin like that.
Result<std::vector<std::string>> site_prefixes(std::string_view site);

// Whether what begins like that can be the root of a host: "http://(org,example,)/".
bool covers_hosts(std::string_view prefix);

}  // namespace caddis::scope
