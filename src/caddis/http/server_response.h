// Writing responses, for the server.
#pragma once

#include <string>

#include "caddis/base/clock.h"
#include "caddis/http/server.h"

namespace caddis::http {

// How a response is delimited and what becomes of the connection.
struct ResponsePlan {
  enum class Body { none, sized, chunked, until_close };
  Body body = Body::sized;
  uint64_t size = 0;
  bool declare_size = true;
  bool keep_alive = true;
};
ResponsePlan plan_response(const ServerResponse& response, bool head_request, bool http_1_0, bool keep_alive);

// Status line and fields, with the empty line.
std::string response_head(const ServerResponse& response, const ResponsePlan& plan, bool http_1_0, WallTime now);

}  // namespace caddis::http
