// The part of the control API that is about the frontier: docs/formats/control.md. Bad input is answered with 400 and
// what was wrong; a marker that no longer holds with 410.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "caddis/control/frontier_query.h"
#include "caddis/crawl/operator.h"
#include "caddis/http/server.h"

namespace caddis::control {

http::ServerResponse error_response(int status, std::string_view message);
// GET: nothing where the path is none of these.
std::optional<http::ServerResponse> look_at_frontier(crawl::Operator& crawl, const http::ServerRequest& request);
bool reads_frontier(std::string_view path);
bool operates_frontier(std::string_view path);
// POST, the path being one of those.
http::ServerResponse operate_frontier(crawl::Operator& crawl, const http::ServerRequest& request);

}  // namespace caddis::control
