#include "caddis/control/console.h"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "caddis/aio/loop.h"
#include "caddis/base/clock.h"
#include "caddis/control/api_json.h"
#include "caddis/control/routes.h"
#include "caddis/modules/lua_console.h"
#include "caddis/modules/modules_settings.h"

namespace caddis::control {
namespace {

constexpr Duration kLongest = std::chrono::minutes(1);  // a script as a whole, but for checkpoints
constexpr uint64_t kMostQuestions = 10'000;

// The script does not go on if the client has gone, or the crawl ends.
struct Running {
  explicit Running(std::shared_ptr<modules::LuaConsole> the_console) : console(std::move(the_console)) {}
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    if (console->is_running()) console->abandon("it was ended");
  }
  std::shared_ptr<modules::LuaConsole> console;
};

http::ServerRequest request_of(modules::ConsoleQuestion question) {
  http::ServerRequest request;
  request.method = std::move(question.method);
  request.target = std::move(question.target);
  const size_t mark = request.target.find('?');
  request.path = request.target.substr(0, mark);
  if (mark != std::string::npos) request.query = request.target.substr(mark + 1);
  request.body = std::move(question.body);
  return request;
}

Result<std::string> document_of(http::ServerResponse response) {
  if (response.status == 200) return std::move(response.body);
  auto failure = api::from_json<api::Failure>(response.body);
  return fail(ErrorCode::conflict, failure ? std::move(failure->error) : std::move(response.body));
}

}  // namespace

aio::Task<Result<std::string>> run_script(crawl::Operator& crawl, Call call) {
  std::string name = call.parameters.text("name");
  if (name.empty()) name = "console";
  const std::string session = call.parameters.text("session");
  const modules::LuaLimits limits = modules::console_limits(crawl.settings().modules);
  CO_TRY(auto console, crawl.scripts().sessions().open(session, limits));
  const Running running(std::move(console));
  crawl.scripts().log(name, call.body);
  const Clock& clock = crawl.scripts().loop().clock();
  SteadyTime ends = clock.steady() + kLongest;
  uint64_t questions = 0;
  auto question = running.console->begin(call.body, name);
  while (question) {
    const http::ServerRequest request = request_of(*std::move(question));
    const SteadyTime asked_at = clock.steady();
    http::ServerResponse response = co_await respond(crawl, request, call.actor);
    if (request.path == "/checkpoint") ends += clock.steady() - asked_at;
    // Others get their turn between two answers.
    co_await aio::resume_on(crawl.scripts().loop());
    if (++questions > kMostQuestions) {
      running.console->abandon(
          fmt::format("{}: it asked the crawl more than {} times: do less at a time", name, kMostQuestions));
      break;
    }
    if (clock.steady() > ends) {
      running.console->abandon(name + ": it ran for more than a minute: do less at a time");
      break;
    }
    const auto document = document_of(std::move(response));
    question = running.console->answer(document);
  }
  auto outcome = running.console->take_outcome();
  api::ConsoleRun run;
  run.output = std::move(outcome.output);
  if (!outcome.error.empty()) run.error = std::move(outcome.error);
  run.incomplete = outcome.incomplete;
  co_return api::to_json(run);
}

}  // namespace caddis::control
