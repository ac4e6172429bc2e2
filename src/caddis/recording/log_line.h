// Lines of a recording's log, in the columns of crawl.log (docs/formats/crawl-log.md).
//
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/base/fetch_status.h"
#include "caddis/dedup/original.h"
#include "caddis/http/exchange.h"

namespace caddis::recording {

// One request and what came of it. Texts are borrowed.
struct LoggedRequest {
  std::string_view url, via, mime, digest;
  FetchStatus status = 0;  // of HTTP, or a negative one (base/fetch_status.h)
  uint64_t body_size = 0, size = 0;
  WallTime started, finished;
  std::string_view protocol = "http/1.1";
  http::Truncated truncated = http::Truncated::none;
  bool has_problem = false;
  bool is_websocket = false;  // passed through, and not recorded
  const dedup::Match* revisit = nullptr;
};

// Where its records lie; no file if none were written.
struct LoggedPlace {
  std::string_view file;
  uint64_t offset = 0;
};

// With its line end.
std::string log_line(const LoggedRequest& request, const LoggedPlace& place);

}  // namespace caddis::recording
