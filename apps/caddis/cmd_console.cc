// caddis console COLLECTION [FILE.lua]: runs scripts in Lua inside a crawl that runs: a file, a line of the command line
// (-e), all of standard input, or lines that somebody types, whose variables stay until the end.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>

#include "asked_crawl.h"
#include "caddis/base/clock.h"
#include "caddis/base/time_format.h"
#include "caddis/io/files.h"
#include "commands.h"
#include "tell.h"

namespace caddis::cli {
namespace {

namespace api = control::api;

struct ConsoleArguments {
  std::string collection, file, code;
};

Result<api::ConsoleRun> run(AskedCrawl& crawl, const std::string& session, const std::string& name,
                            const std::string& script) {
  auto answer = crawl.post("/console", query_of({{"session", session}, {"name", name}}), script);
  if (answer) return api::from_json<api::ConsoleRun>(*answer);
  if (answer.error().code != ErrorCode::not_found) return std::unexpected(std::move(answer).error());
  return fail(ErrorCode::not_found, "no crawl runs there: the console is one of a running crawl");
}

int fail_with(const Error& error) {
  tell(fmt::format("caddis console: {}\n", error.message));
  return 1;
}

// Shows what came of it. False if it failed.
bool show(const api::ConsoleRun& done) {
  fmt::print("{}", done.output);
  if (done.error) tell(*done.error + "\n");
  return !done.error;
}

int run_once(AskedCrawl& crawl, const std::string& name, const std::string& script) {
  const auto done = run(crawl, "", name, script);
  if (!done) return fail_with(done.error());
  return show(*done) ? 0 : 1;
}

// Lines until the end of the input. One that ends in the middle of a statement waits for those after it; an empty one
// ends that.
int converse(AskedCrawl& crawl) {
  const std::string session = fmt::format("{}-{}", ::getpid(), system_clock().wall().time_since_epoch().count());
  fmt::print(
      "Lua inside the crawl: crawl.status(), crawl.urls{{host=\"a.example\"}}, … (docs/lua.md). Ctrl-D ends it.\n");
  std::string script;
  while (true) {
    fmt::print("{}", script.empty() ? "caddis> " : "     ... ");
    std::fflush(stdout);
    std::string line;
    if (!std::getline(std::cin, line)) break;
    if (script.empty() && line.empty()) continue;
    if (script.empty() && (line == "exit" || line == "quit")) return 0;
    const bool is_ended = line.empty();
    script += (script.empty() ? "" : "\n") + line;
    const auto done = run(crawl, session, "console", script);
    if (!done) return fail_with(done.error());
    if (done->incomplete && !is_ended) continue;
    show(*done);
    std::fflush(stdout);
    script.clear();
  }
  fmt::print("\n");
  return 0;
}

int console(const ConsoleArguments& arguments, bool has_code) {
  auto crawl = open_asked_crawl(arguments.collection);
  if (!crawl) return fail_with(crawl.error());
  if (has_code) return run_once(*crawl, "-e", arguments.code);
  if (!arguments.file.empty()) {
    const auto script = io::real_files().read_all(arguments.file);
    if (!script) return fail_with(script.error());
    return run_once(*crawl, arguments.file.substr(arguments.file.rfind('/') + 1), *script);
  }
  if (::isatty(STDIN_FILENO) == 1) return converse(*crawl);
  const std::string script{std::istreambuf_iterator<char>(std::cin), {}};
  return run_once(*crawl, "stdin", script);
}

}  // namespace

void add_console_commands(CLI::App& app, int& exit_code) {
  CLI::App* console_command =
      app.add_subcommand("console", "Run scripts in Lua inside a running crawl: a file, -e, or lines that you type");
  auto arguments = std::make_shared<ConsoleArguments>();
  console_command->add_option("collection,--collection", arguments->collection, "The collection whose crawl runs")
      ->required();
  auto* const file = console_command->add_option("file", arguments->file, "The script; without one lines are read")
                         ->option_text("FILE.lua");
  auto* const code = console_command->add_option("-e", arguments->code, "The script itself: 'crawl.status().queued'")
                         ->option_text("CODE");
  code->excludes(file);
  console_command->callback([arguments, code, &exit_code] { exit_code = console(*arguments, code->count() > 0); });
}

}  // namespace caddis::cli
