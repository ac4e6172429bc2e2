// The routes of the engine's API that are answered on a worker: a row each, in the order of api/engine.yaml.
//
// Any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "caddis/access/identity.h"
#include "caddis/base/error.h"
#include "caddis/control/parameters.h"
#include "caddis/engine/jobs.h"
#include "caddis/engine/path_pattern.h"
#include "caddis/http/server.h"

namespace caddis::engine {

struct ApiCall {
  Jobs& jobs;
  const http::ServerRequest& request;
  const access::Identity& identity;
  std::string_view started;  // the engine, as a time
  Segments segments = {};
  control::Parameters parameters = {};

  const std::string& segment(std::string_view name) const { return segments.find(name)->second; }
  Result<std::shared_ptr<Job>> job() const { return jobs.find(segment("job")); }
};

using ApiHandler = Result<http::ServerResponse> (*)(const ApiCall&);

struct ApiRoute {
  std::string_view method, path, parameters;
  ApiHandler handler;
};

std::span<const ApiRoute> api_routes();

// The answer by the table: 404 and 405 for what it does not have.
http::ServerResponse answer_by_table(ApiCall call);

}  // namespace caddis::engine
