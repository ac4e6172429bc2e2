// Health and readiness, as whoever starts and stops services asks for them: `GET /healthz` (it lives) and `GET /readyz`
// (it can do its work). Nothing of it is secret, so both are answered without a log-in.
//
// Pure functions, any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "caddis/http/server.h"

namespace caddis::control {

// Something that has to be in order.
struct Readiness {
  std::string name;     // "disk"
  std::string problem;  // in words; empty if there is none
};

// 405 with Allow for other methods than GET and HEAD, at paths that can only be read: these and `/metrics`. Nothing for GET
// and HEAD.
std::optional<http::ServerResponse> refuse_other_methods(const http::ServerRequest& request);

// 200 and {"status":"ok"}: whoever answers lives.
http::ServerResponse healthy();
// {"status":"ok","checks":{"disk":"ok"}} with 200, or {"status":"not ready","checks":{"disk":"the disk is full"}} with 503.
http::ServerResponse readiness(const std::vector<Readiness>& checks);

}  // namespace caddis::control
