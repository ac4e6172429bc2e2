// Whether the page from which a browser sends a request may steer a server. Pure, any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "caddis/http/server.h"

namespace caddis::access {

// `origin` and `host` are the header fields of a request; browsers always name the page's origin in one that changes
// something, or that another page makes for itself to read. It is held against the Host that was asked, as a server may
// answer under several addresses (0.0.0.0: under all of the machine), which has to be its own (http/host_check.h).
// `is_tls`: of the request; without it, "https" is right too if the host is one of `names`, for a proxy may stand before.
bool is_own_origin(std::string_view origin, std::string_view host, std::span<const std::string> names = {},
                   bool is_tls = false);

// True if the request comes from a page of somebody else's.
bool is_of_other_page(const http::ServerRequest& request, std::span<const std::string> names);

}  // namespace caddis::access
