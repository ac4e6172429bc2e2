// The reason phrases of HTTP statuses (RFC 9110 section 15, and those registered since).
#pragma once

#include <string_view>

namespace caddis::http {

// Empty for an unknown status.
std::string_view reason_of(int status);

}  // namespace caddis::http
