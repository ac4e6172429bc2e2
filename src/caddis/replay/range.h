// Byte ranges (RFC 9110 section 14) of replayed bodies: media players seek, and some play nothing without.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "caddis/http/server.h"

namespace caddis::replay {

struct ByteRange {
  uint64_t first = 0, last = 0;  // inclusive
};

enum class RangeKind { none, satisfiable, unsatisfiable };
// One range only; "none" for several, for another unit and for what is malformed: the whole body is sent then.
RangeKind parse_range(std::string_view value, uint64_t size, ByteRange& range);

// Cuts the body of a 200 response to what the request's Range asks for, with status 206 or 416.
void apply_range(const http::ServerRequest& request, http::ServerResponse& response);

}  // namespace caddis::replay
