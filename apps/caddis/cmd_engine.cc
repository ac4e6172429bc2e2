// caddis engine: the daemon that has jobs, launches their crawls, and answers those who steer them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "caddis/aio/blocking.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/nursery.h"
#include "caddis/base/clock.h"
#include "caddis/engine/engine_api.h"
#include "caddis/engine/engine_server.h"
#include "caddis/engine/event_hub.h"
#include "caddis/engine/job_json.h"
#include "caddis/engine/job_world.h"
#include "caddis/engine/jobs.h"
#include "caddis/io/files.h"
#include "caddis/io/links.h"
#include "caddis/rest/heritrix_rest.h"
#include "caddis/webui/pages.h"
#include "engine_commands.h"
#include "engine_socket.h"
#include "file_limit.h"
#include "stop_signals.h"
#include "tell.h"

namespace caddis::cli {
namespace {

constexpr Duration kLook = std::chrono::milliseconds(500);

struct EngineCommand {
  engine::JobsOptions jobs{.folder = "jobs"};
  std::vector<std::string> listen = {"127.0.0.1:8443"};
};

// One look at a time; it waits for crawls, so the loop is not held up.
aio::Task<void> look_again_and_again(aio::Loop& loop, aio::Blocking& lookout, engine::Jobs& jobs) {
  while (!stop_asked()) {
    std::function<void()> work = [&jobs] { jobs.look(); };
    co_await lookout.run(loop, std::move(work));
    co_await aio::sleep_for(loop, kLook);
  }
}

aio::Task<void> run_until_stopped(aio::Loop& loop, aio::Blocking& lookout, engine::Jobs& jobs, engine::EventHub& events,
                                  engine::EngineServer& server) {
  aio::Nursery nursery;
  nursery.spawn(events.beat());
  co_await look_again_and_again(loop, lookout, jobs);
  events.close();
  co_await server.stop();
  co_await nursery.join();
}

std::vector<engine::Mount> mounts_of(engine::EngineApi& api, rest::HeritrixRest& heritrix) {
  std::vector<engine::Mount> mounts;
  mounts.push_back({"/api", [&api](const http::ServerRequest& request, const access::Identity& identity) {
                      return api.answer(request, identity);
                    }});
  mounts.push_back({"/engine",
                    [&heritrix](const http::ServerRequest& request, const access::Identity& identity) {
                      return heritrix.answer(request, identity);
                    },
                    rest::HeritrixRest::needed_role});
  // The pages hold nothing of the jobs, and ask for a log-in themselves.
  mounts.push_back({"/",
                    [](const http::ServerRequest& request, const access::Identity&) -> aio::Task<http::ServerResponse> {
                      co_return webui::answer(request);
                    },
                    [](const http::ServerRequest&) { return access::Role::none; }});
  return mounts;
}

Result<void> run_engine(const EngineCommand& command) {
  raise_file_limit();
  const auto loop = aio::make_loop(system_clock());
  const engine::JobWorld world = engine::real_job_world();
  TRY(const auto jobs, engine::Jobs::open(world, command.jobs));
  engine::EventHub events(*loop);
  jobs->listen([&](const engine::JobSummary& job) { events.post(job.name, engine::to_json(job)); },
               [&](const std::string& name) { events.post(name, ""); });
  for (const auto& job : jobs->list()) events.post(job->name(), engine::to_json(job->summary()));
  // Most of their time goes into waiting for crawls and disks.
  const auto workers = aio::make_blocking(std::max(16u, 4 * std::thread::hardware_concurrency()));
  const auto lookout = aio::make_blocking(1);
  engine::EngineApi api(*loop, *workers, *jobs, events);
  TRY(std::string jobs_dir, io::real_path(jobs->options().folder));
  rest::HeritrixRest heritrix({*loop, *workers}, io::real_files(), std::bind_front(&engine::EngineApi::answer, &api),
                              {std::move(jobs_dir), [] { (void)std::raise(SIGTERM); }});
  const engine::EngineServerOptions options{.socket = engine_socket_of(jobs->options().folder),
                                            .listen = command.listen,
                                            .certificate = {},
                                            .key = {},
                                            .workers = workers.get()};
  TRY(const auto server, engine::EngineServer::start(*loop, options, mounts_of(api, heritrix), nullptr));
  for (const std::string& address : server->addresses()) tell(fmt::format("engine: {}\n", address), stdout);
  tell(fmt::format("{} in {}\n", jobs->list().size() == 1 ? "1 job" : fmt::format("{} jobs", jobs->list().size()),
                   jobs->options().folder),
       stdout);
  std::fflush(stdout);
  take_stop_signals();
  aio::run_to_end(*loop, run_until_stopped(*loop, *lookout, *jobs, events, *server));
  return {};
}

}  // namespace

void add_engine_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("engine", "Run jobs: a daemon that launches crawls, watches and steers them");
  command->footer(
      "Ctrl-C (SIGINT), SIGTERM and SIGHUP stop the engine, and not its crawls: these go on, and the next engine finds "
      "them.\nMore: docs/engine.md.");
  auto options = std::make_shared<EngineCommand>();
  command->add_option("--jobs", options->jobs.folder, "The folder of the jobs; it is made if it is not there")
      ->capture_default_str();
  command
      ->add_option("--listen", options->listen,
                   "Answer at ADDR:PORT over HTTP (repeatable); port 0 takes a free one, which is printed")
      ->allow_extra_args(false)
      ->capture_default_str();
  command
      ->add_option("--max-running", options->jobs.max_running,
                   "So many jobs run at the same time, others wait; 0 for any number")
      ->capture_default_str();
  command->callback([options, &exit_code] {
    const auto done = run_engine(*options);
    if (done) return;
    tell(fmt::format("caddis engine: {}\n", done.error().message));
    exit_code = done.error().code == ErrorCode::config || done.error().code == ErrorCode::conflict ? 2 : 1;
  });
}

}  // namespace caddis::cli
