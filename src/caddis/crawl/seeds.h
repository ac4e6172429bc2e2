// Seeds as people write them. Pure functions.
#pragma once

#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/url/url.h"

namespace caddis::crawl {

// The URL of a seed, without fragment; a bare host (and port) means http. ErrorCode::config where it cannot be crawled.
Result<url::Url> parse_seed(std::string_view text);

// Whether all of them stay on this machine, so that nobody has to be told who crawls.
bool only_loopback(const std::vector<url::Url>& seeds);

}  // namespace caddis::crawl
