// Finds out which of a table of routes a request asks for, and refuses those that ask for none: 404 for a path that
// none has (it says which there are), 405 for a method that the path does not know (with Allow, RFC 9110 section
// 15.5.6), 400 for a parameter that the route does not know. api/openapi.yaml lists the same routes; a test holds both
// against each other.
//
// Pure functions, any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/control/parameters.h"
#include "caddis/http/server.h"

namespace caddis::control {

struct RoutePattern {
  std::string_view method;      // "GET", for HEAD as well, or "POST"
  std::string_view path;        // "/hosts/{host}": a last segment in braces stands for any
  std::string_view parameters;  // names, blank-separated
};

// A request, as its route reads it.
struct Call {
  std::string segment;  // what the path has for the segment in braces, decoded
  Parameters parameters;
  std::string_view body;   // the request's
  std::string actor = {};  // who asks, for the record; empty if that is not known
};

// {"error": message}
http::ServerResponse error_response(int status, std::string_view message);
// 400 for what is wrong with the request, 404 for what is not there, 409 for what contradicts the state, 410 for a
// marker that no longer holds, 500 for what failed here.
http::ServerResponse error_response(const Error& error);

bool matches(const RoutePattern& route, std::string_view path);
// ErrorCode::parse for a parameter that the route does not know. The path has to match it.
Result<Call> make_call(const RoutePattern& route, std::string_view path, std::string_view query,
                       std::string_view body = {});
// The answer to a request that no route takes: 404, or 405 if one has its path.
http::ServerResponse refuse_unrouted(const std::vector<RoutePattern>& routes, const http::ServerRequest& request);

}  // namespace caddis::control
