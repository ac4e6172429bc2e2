#include "caddis/control/health.h"

#include <algorithm>

#include "caddis/base/json_text.h"
#include "caddis/control/router.h"

namespace caddis::control {

std::optional<http::ServerResponse> refuse_other_methods(const http::ServerRequest& request) {
  if (request.method == "GET" || request.method == "HEAD") return std::nullopt;
  http::ServerResponse refused = error_response(405, "here one may GET, HEAD");
  refused.headers.emplace_back("Allow", "GET, HEAD");
  return refused;
}

http::ServerResponse healthy() { return http::json_response(200, JsonObject().add("status", "ok").finish()); }

http::ServerResponse readiness(const std::vector<Readiness>& checks) {
  const bool is_ready = std::ranges::all_of(checks, [](const Readiness& one) { return one.problem.empty(); });
  JsonObject told;
  for (const Readiness& one : checks) told.add(one.name, one.problem.empty() ? "ok" : std::string_view(one.problem));
  return http::json_response(
      is_ready ? 200 : 503,
      JsonObject().add("status", is_ready ? "ok" : "not ready").add_raw("checks", told.finish()).finish());
}

}  // namespace caddis::control
