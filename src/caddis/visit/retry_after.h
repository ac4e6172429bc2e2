// The field Retry-After of a response (RFC 9110, 10.2.3).
#pragma once

#include <optional>

#include "caddis/base/clock.h"
#include "caddis/http/head.h"

namespace caddis::visit {

// Returns how long the server asks to wait, at most `most`; none if it does not say, or not so that it can be read.
std::optional<Duration> retry_after(const http::ResponseHead& head, WallTime now, Duration most);

}  // namespace caddis::visit
