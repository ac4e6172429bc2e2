// Seeds as people write them. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/url/url.h"

namespace caddis::crawl {

// The URL of a seed, without fragment; a bare host (and port) means http. ErrorCode::config where it cannot be crawled.
Result<url::Url> parse_seed(std::string_view text);

// A seed as others may see it, in settings, reports and messages: a URL without its userinfo. Of what is no URL,
// nothing in front of an "@" is shown, as it may be a password.
std::string shown_seed(std::string_view text);

// Whether all of them stay on this machine, so that nobody has to be told who crawls.
bool only_loopback(const std::vector<url::Url>& seeds);

}  // namespace caddis::crawl
