// Heritrix's REST API (`/engine/…`) over the engine, for clients that were written for Heritrix 3: its documents, its
// redirects behind every change, the files of jobs, reports by the names of classes, and scripts that are known.
//
//   HeritrixRest rest(loop, workers, files, api, options);
//   mounts.push_back({"/engine", [&](const auto& request, const auto& who) { return rest.answer(request, who); }});
//
// On the engine's loop; files are read on the workers. All that is handed over outlives it. docs/heritrix-rest.md has
// what clients see.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/access/identity.h"
#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/http/server.h"
#include "caddis/io/files.h"
#include "caddis/rest/engine_door.h"
#include "caddis/rest/form.h"
#include "caddis/rest/heritrix_documents.h"
#include "caddis/rest/job_files.h"
#include "caddis/rest/script_runner.h"

namespace caddis::rest {

struct RestOptions {
  std::string jobs_dir;        // its whole path
  std::function<void()> exit;  // ends the engine ("exit java process"); without it, that is refused
};

class HeritrixRest {
 public:
  HeritrixRest(const Workshop& workshop, io::Files& files, EngineApi api, RestOptions options);

  // The role that a request needs: viewer to read, manager to change, admin to end the engine and for whole paths.
  static access::Role needed_role(const http::ServerRequest& request);

  aio::Task<http::ServerResponse> answer(const http::ServerRequest& request, const access::Identity& identity);

 private:
  struct Asked;  // a request, as its handler reads it
  using Answer = http::ServerResponse;

  aio::Task<Answer> route(Asked& asked);
  aio::Task<Answer> show_engine(Asked& asked);
  aio::Task<Answer> change_engine(Asked& asked);
  aio::Task<Answer> create_job(Asked& asked, std::string name, std::string profile);
  aio::Task<Answer> add_job(Asked& asked, std::string path);
  aio::Task<Answer> end_engine(Asked& asked, const Form& form);
  aio::Task<Answer> answer_job(Asked& asked);
  aio::Task<Answer> show_job(Asked& asked);
  aio::Task<Answer> change_job(Asked& asked);
  aio::Task<Answer> show_report(Asked& asked);
  aio::Task<Answer> run_script(Asked& asked);
  aio::Task<Answer> show_settings(Asked& asked);
  // `path`: below the folder of the jobs.
  aio::Task<Answer> answer_file(Asked& asked, std::string path);
  aio::Task<Answer> write_file(Asked& asked, std::string path);

  aio::Task<Result<EngineFacts>> engine_facts(const EngineDoor& door);
  aio::Task<Result<JobFacts>> job_facts(const EngineDoor& door, std::string job);
  // Adds the latest lines of its log and its running visits, as far as the crawl is there to tell them.
  aio::Task<void> add_crawl_facts(const EngineDoor& door, JobFacts& job);

  const Workshop workshop_;
  io::Files& files_;
  const EngineApi api_;
  const RestOptions options_;
  const JobFiles job_files_;
};

}  // namespace caddis::rest
