#include "caddis/control/router.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "caddis/control/api_json.h"
#include "caddis/url/percent.h"

namespace caddis::control {
namespace {

// The part of a pattern before its segment in braces: "/hosts/" of "/hosts/{host}". All of one that has none.
std::string_view fixed_part(std::string_view pattern) { return pattern.substr(0, pattern.find('{')); }

bool has_segment(std::string_view pattern) { return pattern.ends_with('}'); }

int status_of(const Error& error) {
  switch (error.code) {
    case ErrorCode::parse:
    case ErrorCode::config:
      return 400;
    case ErrorCode::not_found:
      return error.message.starts_with("the marker") ? 410 : 404;
    case ErrorCode::conflict:
      return 409;
    default:
      return 500;
  }
}

}  // namespace

http::ServerResponse error_response(int status, std::string_view message) {
  return http::json_response(status, api::to_json(api::Failure{std::string(message)}));
}

http::ServerResponse error_response(const Error& error) { return error_response(status_of(error), error.message); }

bool matches(const RoutePattern& route, std::string_view path) {
  const std::string_view fixed = fixed_part(route.path);
  return has_segment(route.path) ? path.starts_with(fixed) && path.size() > fixed.size() : path == fixed;
}

Result<Call> make_call(const RoutePattern& route, std::string_view path, std::string_view query,
                       std::string_view body) {
  Call call;
  if (has_segment(route.path)) call.segment = url::percent_decode(path.substr(fixed_part(route.path).size()));
  TRY(call.parameters, Parameters::parse(query, route.parameters));
  call.body = body;
  return call;
}

http::ServerResponse refuse_unrouted(const std::vector<RoutePattern>& routes, const http::ServerRequest& request) {
  std::vector<std::string_view> methods, paths;
  for (const RoutePattern& route : routes) {
    if (std::ranges::find(paths, route.path) == paths.end()) paths.push_back(route.path);
    if (matches(route, request.path)) methods.push_back(route.method == "GET" ? "GET, HEAD" : route.method);
  }
  if (methods.empty()) return error_response(404, fmt::format("there are {}", fmt::join(paths, ", ")));
  const bool only_reads = std::ranges::find(methods, "POST") == methods.end();
  http::ServerResponse response =
      error_response(405, only_reads ? "this tells of the crawl: use GET" : "this changes the crawl: use POST");
  response.headers.emplace_back("Allow", fmt::format("{}", fmt::join(methods, ", ")));
  return response;
}

}  // namespace caddis::control
