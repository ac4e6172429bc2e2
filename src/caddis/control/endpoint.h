// Addresses to listen at, as people write them, and as a browser opens them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/aio/network.h"
#include "caddis/base/error.h"

namespace caddis::control {

// "127.0.0.1:80", "[::1]:80", ":80" (loopback). ErrorCode::config for anything else.
Result<aio::Endpoint> parse_endpoint(std::string_view text);

// "http://127.0.0.1:80/" of a listener. One on all addresses (0.0.0.0, ::) can be opened under none of these: its first
// URL is for this machine, a second one for others, if the machine has such an address.
std::vector<std::string> openable_urls(const aio::Endpoint& listener, std::string_view scheme = "http");

}  // namespace caddis::control
