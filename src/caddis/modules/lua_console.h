// A script that an operator runs inside a crawl: in the sandbox of lua_state.h, with a table `crawl` whose functions ask
// the crawl by the calls of its control API (docs/lua.md has them). The script stands still at each such call, so that
// whoever runs it may let the crawl go on meanwhile:
//
//   auto question = console.begin(text, "report.lua");
//   while (question) question = console.answer(co_await answer_of(*question));
//   ConsoleOutcome outcome = console.take_outcome();
//
// Global variables stay from one script to the next. One thread at a time.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "caddis/base/error.h"
#include "caddis/modules/lua_state.h"
#include "caddis/modules/module_errors.h"

namespace caddis::modules {

// A request of the control API.
struct ConsoleQuestion {
  std::string method, target, body;
};

struct ConsoleOutcome {
  std::string output;       // what it printed, and what it returned
  std::string error;        // with the script's name and line; empty if there is none
  bool incomplete = false;  // the text ends in the middle of a statement
};

class LuaConsole {
 public:
  static constexpr size_t kMostOutput = 1 << 20;  // bytes

  static Result<std::unique_ptr<LuaConsole>> create(const LuaLimits& limits);
  ~LuaConsole();

  // Runs a script until it asks the crawl for something; nothing: it has ended. `name` stands before lines in errors.
  std::optional<ConsoleQuestion> begin(std::string_view text, const std::string& name);
  // The same, with the answer to its question: a document of the API, or what the crawl refuses.
  std::optional<ConsoleQuestion> answer(const Result<std::string>& document);
  // The script does not go on.
  void abandon(std::string why);
  bool is_running() const { return thread_ != nullptr; }
  ConsoleOutcome take_outcome() { return std::exchange(outcome_, {}); }

  // --- for the functions that scripts call
  void ask(ConsoleQuestion question, const char* part);
  void push_answer(lua_State* lua);
  void print(std::string_view text);

 private:
  LuaConsole() : errors_("console") {}
  std::optional<ConsoleQuestion> go_on(int arguments);
  void end(std::string error);

  ModuleErrors errors_;
  std::unique_ptr<LuaState> state_;
  lua_State* thread_ = nullptr;  // of the script that runs
  std::optional<ConsoleQuestion> question_;
  const char* part_ = nullptr;  // of the answer, which the script gets: a JSON pointer
  const Result<std::string>* answer_ = nullptr;
  ConsoleOutcome outcome_;
};

// The consoles of a crawl by the names of their sessions. The few that were used last stay.
class ConsoleSessions {
 public:
  // The one of that name, made anew if there is none; without a name one that nobody else gets. ErrorCode::conflict if a
  // script runs in it, or in too many others.
  Result<std::shared_ptr<LuaConsole>> open(const std::string& name, const LuaLimits& limits);

 private:
  static constexpr size_t kMost = 4;
  struct Session {
    std::shared_ptr<LuaConsole> console;
    uint64_t used = 0;
  };

  std::map<std::string, Session, std::less<>> sessions_;
  uint64_t uses_ = 0;
};

// The part of docs/lua.md that is about it.
std::string console_markdown();

}  // namespace caddis::modules
