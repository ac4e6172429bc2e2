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

#include "access_options.h"
#include "caddis/access/gate.h"
#include "caddis/aio/blocking.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/nursery.h"
#include "caddis/base/clock.h"
#include "caddis/base/counted.h"
#include "caddis/base/time_format.h"
#include "caddis/control/endpoint.h"
#include "caddis/control/health.h"
#include "caddis/engine/engine_api.h"
#include "caddis/engine/engine_metrics.h"
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
  std::string memory, bandwidth, disk, end_within = "30m";  // as they were typed
  AccessOptions access;
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

// All of it outlives the server.
struct Parts {
  aio::Loop& loop;
  aio::Blocking& workers;
  engine::Jobs& jobs;
  engine::EngineApi& api;
  rest::HeritrixRest& heritrix;
};

using Request = http::ServerRequest;
using Response = aio::Task<http::ServerResponse>;

// They hold nothing of the jobs: strangers may ask.
void add_open_mounts(const Parts& parts, std::vector<engine::Mount>& mounts) {
  const auto nobody = [](const Request&) { return access::Role::none; };
  mounts.push_back(engine::open_read_only(
      "/healthz", [](const Request&, const access::Identity&) -> Response { co_return control::healthy(); }));
  mounts.push_back(
      engine::open_read_only("/readyz", [&jobs = parts.jobs](const Request&, const access::Identity&) -> Response {
        co_return engine::tell_engine_readiness(jobs);
      }));
  mounts.push_back(
      {"/", [](const Request& request, const access::Identity&) -> Response { co_return webui::answer(request); },
       nobody});
}

std::vector<engine::Mount> mounts_of(const Parts& parts) {
  std::vector<engine::Mount> mounts;
  mounts.push_back({"/api", std::bind_front(&engine::EngineApi::answer, &parts.api)});
  mounts.push_back(
      {"/engine", std::bind_front(&rest::HeritrixRest::answer, &parts.heritrix), rest::HeritrixRest::needed_role});
  mounts.push_back(engine::read_only("/metrics", [parts](const Request&, const access::Identity&) {
    return engine::tell_engine_metrics(parts.loop, parts.workers, parts.jobs);
  }));
  add_open_mounts(parts, mounts);
  return mounts;
}

Result<void> read_size(const std::string& option, const std::string& text, uint64_t least, uint64_t& into) {
  if (text.empty()) return {};
  const auto size = parse_size(text);
  if (!size) return pass(size.error(), option);
  if (*size < 0 || (*size > 0 && static_cast<uint64_t>(*size) < least))
    return fail(ErrorCode::config,
                fmt::format("{} is 0, or at least {}", option, format_size(static_cast<long long>(least))));
  into = static_cast<uint64_t>(*size);
  return {};
}

Result<void> read_allowance(EngineCommand& command) {
  engine::Allowance& allowance = command.jobs.allowance;
  TRY_VOID(read_size("--memory", command.memory, engine::kLeastMemory, allowance.memory));
  TRY_VOID(read_size("--bandwidth", command.bandwidth, 1, allowance.bandwidth));
  return read_size("--disk", command.disk, 1, allowance.disk);
}

Result<void> read_end_within(const std::string& text, Duration& into) {
  const auto duration = parse_duration(text);
  if (!duration) return pass(duration.error(), "--end-within");
  if (*duration < Duration::zero()) return fail(ErrorCode::config, "--end-within is 0 (for never), or a time");
  into = *duration;
  return {};
}

// The users file that is given; otherwise one in the folder of the jobs.
std::string users_of(const EngineCommand& command) {
  return command.access.users.empty() ? command.jobs.folder + "/users" : command.access.users;
}

// An engine that has no users yet makes an admin, whose password is said once.
Result<std::unique_ptr<access::Gate>> gate_of(const EngineCommand& command, access::GateWorld world) {
  const std::string users = users_of(command);
  access::GateOptions options{.users_file = users,
                              .audit_file = command.access.audit.empty() ? users + ".audit.log" : command.access.audit,
                              .names = own_names(command.access),
                              .token = {},
                              .makes_admin = true,
                              .trusts_loopback = command.access.trusts_loopback,
                              .keeps_digest = command.access.digest};
  return access::Gate::open(world, std::move(options));
}

using Listeners = std::vector<std::unique_ptr<aio::Listener>>;

Result<Listeners> open_listeners(aio::Loop& loop, aio::Network& network, const EngineCommand& command,
                                 const std::string& folder) {
  Listeners listeners;
  for (const std::string& listen : command.listen) {
    TRY(const aio::Endpoint at, control::parse_endpoint(listen));
    TRY_VOID(check_listen(command.access, listen, true));
    TRY(auto listener, open_listener(loop, network, at, command.access, folder));
    listeners.push_back(std::move(listener));
  }
  return listeners;
}

void listen_for_people(const EngineCommand& command, Listeners listeners, engine::EngineServer& server) {
  for (auto& listener : listeners) {
    for (const std::string& address : control::openable_urls(listener->local(), command.access.scheme()))
      tell(fmt::format("engine: {}\n", address), stdout);
    server.listen_on(std::move(listener));
  }
}

Result<void> run_engine(EngineCommand& command) {
  TRY_VOID(read_allowance(command));
  engine::JobWorld world = engine::real_job_world();
  TRY_VOID(read_end_within(command.end_within, world.longest_end));
  raise_file_limit();
  const auto loop = aio::make_loop(system_clock());
  const auto network = aio::make_network(*loop);
  TRY(const auto jobs, engine::Jobs::open(world, command.jobs));
  const std::string& folder = jobs->options().folder;
  engine::EventHub events(*loop);
  jobs->listen([&](const engine::JobSummary& job) { events.post(job.name, engine::to_json(job)); },
               [&](const std::string& name) { events.post(name, ""); });
  for (const auto& job : jobs->list()) events.post(job->name(), engine::to_json(job->summary()));
  // Most of their time goes into waiting for crawls and disks.
  const auto workers = aio::make_blocking(std::max(16u, 4 * std::thread::hardware_concurrency()));
  const auto lookout = aio::make_blocking(1);
  // Before a first user is made: an engine that cannot be reached makes none.
  TRY(auto listeners, open_listeners(*loop, *network, command, folder));
  TRY(const auto gate, gate_of(command, {*loop, *workers, io::real_files()}));
  // Before anything can fail: it is said this once.
  if (!gate->first_password().empty())
    tell(fmt::format(
             "log in as admin with the password {} (it is said this once; change it with caddis users password admin "
             "--file {})\n",
             gate->first_password(), users_of(command)),
         stdout);
  engine::EngineApi api(*loop, *workers, *jobs, events);
  TRY(std::string jobs_dir, io::real_path(folder));
  rest::HeritrixRest heritrix({*loop, *workers}, io::real_files(), std::bind_front(&engine::EngineApi::answer, &api),
                              {std::move(jobs_dir), [] { (void)std::raise(SIGTERM); }});
  const Parts parts{*loop, *workers, *jobs, api, heritrix};
  TRY(const auto server,
      engine::EngineServer::start(*loop, {.socket = engine_socket_of(folder), .workers = workers.get()},
                                  mounts_of(parts), gate.get()));
  listen_for_people(command, std::move(listeners), *server);
  tell(fmt::format("{} in {}\n", counted(jobs->list().size(), "job"), folder), stdout);
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
  command
      ->add_option(
          "--memory", options->memory,
          "Bytes of memory for all crawls together: each gets its share when it begins, and waits if there is none")
      ->option_text("SIZE");
  command
      ->add_option("--processors", options->jobs.allowance.processors,
                   "Processors for all crawls together: with --max-running, each gets its share as lanes")
      ->option_text("NUMBER");
  command
      ->add_option("--bandwidth", options->bandwidth,
                   "Bytes a second for all crawls together, divided among those that run")
      ->option_text("SIZE");
  command
      ->add_option("--disk", options->disk,
                   "Bytes of disk for all jobs together: what is left of them is divided among those that run")
      ->option_text("SIZE");
  command
      ->add_option("--end-within", options->end_within,
                   "Kill the process of a crawl that was asked to end and takes longer; 0 for never. It can be resumed")
      ->option_text("DURATION")
      ->capture_default_str();
  add_access_options(*command, options->access);
  command->add_flag("--digest", options->access.digest,
                    "Passwords that are set here serve HTTP Digest as well, for programs made for Heritrix");
  command->add_flag("--trust-loopback", options->access.trusts_loopback,
                    "Ask nobody on this machine to log in: every user of it may do everything");
  command->callback([options, &exit_code] {
    const auto done = run_engine(*options);
    if (done) return;
    tell(fmt::format("caddis engine: {}\n", done.error().message));
    exit_code = done.error().code == ErrorCode::config || done.error().code == ErrorCode::conflict ? 2 : 1;
  });
}

}  // namespace caddis::cli
