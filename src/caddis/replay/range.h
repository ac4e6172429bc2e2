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

// What the request's Range asks of a 200 response whose body has `size` bytes; its status becomes 206 or 416, and its
// fields say so. The body is for the caller to cut to `range`, or to leave out.
RangeKind answer_range(const http::ServerRequest& request, uint64_t size, http::ServerResponse& response,
                       ByteRange& range);

}  // namespace caddis::replay
