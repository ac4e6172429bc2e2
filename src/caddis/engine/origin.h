// Whether the page from which a browser sends a request may steer a crawl. Pure, any thread.
#pragma once

#include <string_view>

namespace caddis::engine {

// `origin` and `host` are the header fields of a request that changes something; browsers always name the page's origin
// in one. It is held against the Host that was asked, as a server may answer under several addresses (0.0.0.0: under
// all of the machine), but only addresses and "localhost" are believed: a name may have been made to point here by
// whoever owns it (DNS rebinding).
bool is_own_origin(std::string_view origin, std::string_view host);

}  // namespace caddis::engine
