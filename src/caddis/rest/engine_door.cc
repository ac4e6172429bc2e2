#include "caddis/rest/engine_door.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "caddis/base/percent.h"

namespace caddis::rest {
namespace {

ErrorCode code_of(int status) {
  switch (status) {
    case 400:
      return ErrorCode::config;
    case 401:
    case 403:
      return ErrorCode::denied;
    case 404:
      return ErrorCode::not_found;
    case 409:
      return ErrorCode::conflict;
    default:
      return ErrorCode::io;
  }
}

std::string words_of(const http::ServerResponse& response) {
  const auto answer = nlohmann::json::parse(response.body, nullptr, false);
  if (answer.is_object() && answer.contains("error") && answer["error"].is_string()) return answer["error"];
  return fmt::format("the engine answers {}", response.status);
}

}  // namespace

aio::Task<Result<std::string>> EngineDoor::get(std::string target) const {
  return ask("GET", std::move(target), std::string());
}

aio::Task<Result<std::string>> EngineDoor::post(std::string target, std::string body) const {
  return ask("POST", std::move(target), std::move(body));
}

aio::Task<Result<std::string>> EngineDoor::ask(std::string method, std::string target, std::string body) const {
  http::ServerRequest request;
  request.method = std::move(method);
  request.target = std::move(target);
  const size_t mark = request.target.find('?');
  request.path = request.target.substr(0, mark);
  if (mark != std::string::npos) request.query = request.target.substr(mark + 1);
  request.body = std::move(body);
  http::ServerResponse response = co_await api_(request, identity_);
  if (response.status / 100 != 2) co_return fail(code_of(response.status), words_of(response));
  co_return http::whole_body(response);
}

std::string job_target(std::string_view job, std::string_view rest) {
  return fmt::format("/api/jobs/{}{}", percent_encoded(job), rest);
}

}  // namespace caddis::rest
