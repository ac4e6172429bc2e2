// Does what known scripts ask for (known_scripts.h), by the engine's API and the control API of the crawl.
//
// On the engine's loop; files are read on its workers. Engine, files and workers outlive it.
#pragma once

#include <string>
#include <string_view>

#include "caddis/aio/blocking.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/rest/engine_door.h"
#include "caddis/rest/heritrix_documents.h"
#include "caddis/rest/job_facts.h"
#include "caddis/rest/job_files.h"
#include "caddis/rest/known_scripts.h"

namespace caddis::rest {

// The places where blocking work is done.
struct Workshop {
  aio::Loop& loop;
  aio::Blocking& workers;
};

class ScriptRunner {
 public:
  ScriptRunner(const Workshop& workshop, const JobFiles& files, const EngineDoor& door, const JobFacts& job)
      : workshop_(workshop), files_(files), door_(door), job_(job) {}

  // `engine`: "lua" goes to the console of the crawl, all else has to be known. What fails stands in the outcome.
  aio::Task<ScriptOutcome> run(std::string engine, std::string script);

 private:
  using Answer = Result<std::string>;
  aio::Task<Answer> run_lua(std::string script);
  aio::Task<Answer> run_call(ScriptCall call);
  aio::Task<Answer> run_nas(ScriptCall call);
  aio::Task<Answer> control(std::string method, std::string target, std::string body = std::string());
  aio::Task<Answer> act(std::string action, std::string body = "{}");
  aio::Task<Answer> list(std::string folder, bool recursively, std::string kinds);
  aio::Task<Answer> delete_urls(std::string queues, std::string urls, bool is_dry);
  aio::Task<Answer> list_urls(std::vector<std::string> arguments);
  aio::Task<Answer> crawl_log(std::vector<std::string> arguments);
  aio::Task<Answer> setting(std::string name);
  aio::Task<Answer> change_filters(ScriptCall call);
  aio::Task<Answer> kill_thread(std::string number);

  const Workshop& workshop_;
  const JobFiles& files_;
  const EngineDoor& door_;
  const JobFacts& job_;
};

// Whether a crawl with that configuration of Heritrix begins paused, as is its default.
bool pauses_at_start(std::string_view cxml);

}  // namespace caddis::rest
