#include "engine_socket.h"

#include <fmt/format.h>

#include "caddis/control/api_json.h"
#include "caddis/control/control_client.h"

namespace caddis::cli {
namespace {

constexpr Duration kPatience = std::chrono::minutes(10);  // a checkpoint may take long
constexpr int kOk = 200, kNotFound = 404, kConflict = 409;

}  // namespace

std::string engine_socket_of(const std::string& jobs_folder) { return jobs_folder + "/engine.sock"; }

Result<std::string> ask_engine(const std::string& jobs_folder, const std::string& method, const std::string& target,
                               const std::string& body) {
  auto answer =
      control::ask_socket(engine_socket_of(jobs_folder), {.method = method, .target = target, .body = body}, kPatience);
  if (!answer && answer.error().code == ErrorCode::not_found)
    return fail(ErrorCode::not_found,
                fmt::format("no engine runs there; begin one with caddis engine --jobs {}", jobs_folder));
  if (!answer) return std::unexpected(std::move(answer).error());
  if (answer->status == kOk) return std::move(answer->body);
  const auto failure = control::api::from_json<control::api::Failure>(answer->body);
  const ErrorCode code = answer->status == kNotFound   ? ErrorCode::not_found
                         : answer->status == kConflict ? ErrorCode::conflict
                                                       : ErrorCode::config;
  return fail(code, failure ? failure->error : answer->body);
}

}  // namespace caddis::cli
