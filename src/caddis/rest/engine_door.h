// The engine as this module asks it: by its own HTTP API (api/engine.yaml), without a network. Whatever Heritrix's
// clients can do, the API can, and the roles of those who ask count in both.
//
// On the engine's loop.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "caddis/access/identity.h"
#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/http/server.h"

namespace caddis::rest {

using EngineApi = std::function<aio::Task<http::ServerResponse>(const http::ServerRequest&, const access::Identity&)>;

// On behalf of one who asks.
class EngineDoor {
 public:
  EngineDoor(const EngineApi& api, access::Identity identity) : api_(api), identity_(std::move(identity)) {}

  // The body of the answer. ErrorCode::not_found for 404, conflict for 409, denied for 401 and 403, config for 400, io
  // for all else; with the words of the answer.
  aio::Task<Result<std::string>> get(std::string target) const;
  aio::Task<Result<std::string>> post(std::string target, std::string body) const;

 private:
  aio::Task<Result<std::string>> ask(std::string method, std::string target, std::string body) const;

  const EngineApi& api_;
  const access::Identity identity_;
};

// "/api/jobs/NAME" and what follows: job_target("a b", "/launch").
std::string job_target(std::string_view job, std::string_view rest);

}  // namespace caddis::rest
