// The scripts that operators run in a crawl (control/console.h): their sessions, their turns on the loop, and that each is
// on record with its text, but without secrets.
//
// Belongs to the crawl's loop.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "caddis/crawl/event_log.h"
#include "caddis/crawl/script_run.h"
#include "caddis/modules/lua_console.h"

namespace caddis::aio {
class Loop;
}  // namespace caddis::aio

namespace caddis::crawl {

struct CrawlState;

class OperatorScripts {
 public:
  // All of it must outlive the scripts.
  OperatorScripts(aio::Loop& loop, const CrawlState& state, EventLog& log) : loop_(loop), state_(state), log_(log) {}

  modules::ConsoleSessions& sessions() { return sessions_; }
  // The loop that a script leaves to others between two of its questions.
  aio::Loop& loop() const { return loop_; }
  // A script is about to be run.
  void log(std::string_view name, std::string_view text);
  // Runs the scripts that lie in the action directory; empty: they are refused.
  void run_files_by(ScriptRunner runner) { file_runner_ = std::move(runner); }
  const ScriptRunner& file_runner() const { return file_runner_; }

 private:
  aio::Loop& loop_;
  const CrawlState& state_;
  EventLog& log_;
  modules::ConsoleSessions sessions_;
  ScriptRunner file_runner_;
};

}  // namespace caddis::crawl
