// Captures of parts: a player asks for ranges, and a crawl that records one has what it got (206, Content-Range).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/http/server.h"
#include "caddis/replay/stored.h"

namespace caddis::replay {

struct CapturedPart {
  uint64_t first = 0, last = 0, total = 0;  // bytes of the whole, `last` inclusive

  bool is_whole() const { return first == 0 && last + 1 == total; }
};

// "bytes 0-99/500". Nothing if it is none, or does not tell the size of the whole.
std::optional<CapturedPart> parse_content_range(std::string_view value);
// The part that a 206 holds; nothing for others.
std::optional<CapturedPart> captured_part(const Stored& stored);

// Whether a capture has the beginning of what the request asks for. True for all that are no parts.
bool has_wanted_part(const http::ServerRequest& request, const Stored& stored);

// Answers with what the part has of the range that is asked for: 206, or 200 if the part is the whole and no range is
// asked for. Uses the body up. False if it has nothing of it, or the bytes are not those that it tells of: nothing is
// done then.
Result<bool> put_part(const http::ServerRequest& request, Stored& stored, http::ServerResponse& response);

}  // namespace caddis::replay
