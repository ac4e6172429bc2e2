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

struct Script {
  std::string name, session, actor;
  std::string_view text;
};

// Returns when the script has ended. ErrorCode::conflict if none can begin.
aio::Task<Result<modules::ConsoleOutcome>> run(crawl::Operator& crawl, const Script& script) {
  const modules::LuaLimits limits = modules::console_limits(crawl.settings().modules);
  CO_TRY(auto console, crawl.scripts().sessions().open(script.session, limits));
  const Running running(std::move(console));
  crawl.scripts().log(script.name, script.text);
  const Clock& clock = crawl.scripts().loop().clock();
  SteadyTime ends = clock.steady() + kLongest;
  uint64_t questions = 0;
  auto question = running.console->begin(script.text, script.name);
  while (question) {
    const http::ServerRequest request = request_of(*std::move(question));
    const SteadyTime asked_at = clock.steady();
    http::ServerResponse response = co_await respond(crawl, request, script.actor);
    if (request.path == "/checkpoint") ends += clock.steady() - asked_at;
    // Others get their turn between two answers.
    co_await aio::resume_on(crawl.scripts().loop());
    if (crawl::is_ending(crawl)) {
      running.console->abandon(script.name + ": the crawl is ending");
      break;
    }
    if (++questions > kMostQuestions) {
      running.console->abandon(
          fmt::format("{}: it asked the crawl more than {} times: do less at a time", script.name, kMostQuestions));
      break;
    }
    if (clock.steady() > ends) {
      running.console->abandon(script.name + ": it ran for more than a minute: do less at a time");
      break;
    }
    const auto document = document_of(std::move(response));
    question = running.console->answer(document);
  }
  co_return running.console->take_outcome();
}

}  // namespace

aio::Task<Result<std::string>> run_script(crawl::Operator& crawl, Call call) {
  Script script;
  script.name = call.parameters.text("name");
  if (script.name.empty()) script.name = "console";
  script.session = call.parameters.text("session");
  script.actor = call.actor;
  script.text = call.body;
  CO_TRY(auto outcome, co_await run(crawl, script));
  api::ConsoleRun run;
  run.output = std::move(outcome.output);
  if (!outcome.error.empty()) run.error = std::move(outcome.error);
  run.incomplete = outcome.incomplete;
  co_return api::to_json(run);
}

aio::Task<crawl::ScriptRun> run_script_file(crawl::Operator& crawl, std::string name, std::string text) {
  Script script;
  script.name = std::move(name);
  script.actor = "action " + script.name;
  script.text = text;
  auto outcome = co_await run(crawl, script);
  crawl::ScriptRun ended;
  ended.error = outcome ? std::move(outcome->error) : outcome.error().message;
  if (outcome) ended.output = std::move(outcome->output);
  if (outcome && outcome->incomplete && ended.error.empty()) ended.error = script.name + ": it ends inside a statement";
  co_return ended;
}

}  // namespace caddis::control
