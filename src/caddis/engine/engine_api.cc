#include "caddis/engine/engine_api.h"

#include <fmt/format.h>

#include "caddis/base/time_format.h"
#include "caddis/control/control_client.h"
#include "caddis/control/router.h"
#include "caddis/control/routes.h"
#include "caddis/engine/api_routes.h"

namespace caddis::engine {
namespace {

constexpr Duration kPatience = std::chrono::minutes(10);  // a checkpoint may take long

}  // namespace

EngineApi::EngineApi(aio::Loop& loop, aio::Blocking& workers, Jobs& jobs, EventHub& events)
    : loop_(loop), workers_(workers), jobs_(jobs), events_(events), started_(rfc3339(loop.clock().wall())) {}

aio::Task<http::ServerResponse> EngineApi::answer(const http::ServerRequest& request,
                                                  const access::Identity& identity) {
  if (request.path == "/api/events" && request.method == "GET") co_return events_.follow();
  if (auto segments = match_path("/api/jobs/{job}/control/{path...}", request.path)) {
    std::string job = segments->find("job")->second;
    // As it came: the crawl decodes what it takes from it, and its routes are compared with that.
    std::string path = request.path.substr(request.path.find("/control/") + std::string_view("/control").size());
    if (identity.role < control::needed_role(request.method, path))
      co_return control::error_response(403, fmt::format("{} may not do this to a crawl", identity.name));
    auto passed = co_await pass_on(request, std::move(job), std::move(path), identity.name);
    co_return passed;
  }
  http::ServerResponse response;
  std::function<void()> work = [&] { response = answer_by_table({jobs_, request, identity, started_}); };
  co_await workers_.run(loop_, std::move(work));
  co_return response;
}

aio::Task<http::ServerResponse> EngineApi::pass_on(const http::ServerRequest& request, std::string job,
                                                   std::string path, std::string actor) {
  const auto found = jobs_.find(job);
  if (!found) co_return control::error_response(found.error());
  const auto socket = (*found)->socket();
  if (!socket) co_return control::error_response(socket.error());
  const control::Question question{.method = request.method,
                                   .target = request.query.empty() ? path : path + "?" + request.query,
                                   .body = request.body,
                                   .actor = std::move(actor)};
  auto answer = co_await control::ask_on(loop_, *socket, question, kPatience);
  if (!answer && answer.error().code == ErrorCode::not_found)
    co_return control::error_response(409, "the crawl does not answer");
  if (!answer) co_return control::error_response(503, answer.error().message);
  http::ServerResponse response(answer->status);
  response.headers.emplace_back("Content-Type", answer->content_type);
  response.body = std::move(answer->body);
  co_return response;
}

}  // namespace caddis::engine
