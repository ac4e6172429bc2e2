// caddis harvest: the server of a harvest programme, and harvesters that work for it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "access_options.h"
#include "caddis/access/gate.h"
#include "caddis/access/log_outs.h"
#include "caddis/aio/blocking.h"
#include "caddis/aio/host_name.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/nursery.h"
#include "caddis/aio/own_endpoints.h"
#include "caddis/aio/socket_address.h"
#include "caddis/alerts/alert_desk.h"
#include "caddis/base/clock.h"
#include "caddis/base/counted.h"
#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/control/endpoint.h"
#include "caddis/control/health.h"
#include "caddis/engine/engine_server.h"
#include "caddis/engine/job_world.h"
#include "caddis/engine/machine.h"
#include "caddis/harvest/domains.h"
#include "caddis/harvest/nas_import.h"
#include "caddis/harvest/plans.h"
#include "caddis/harvest/schema.h"
#include "caddis/harvestserver/announcer.h"
#include "caddis/harvestserver/api.h"
#include "caddis/harvestserver/contact.h"
#include "caddis/harvestserver/harvest_metrics.h"
#include "caddis/harvestserver/harvester.h"
#include "caddis/harvestserver/job_views.h"
#include "caddis/harvestserver/keeper.h"
#include "caddis/harvestserver/routes.h"
#include "caddis/harvestserver/scheduler.h"
#include "caddis/harvestserver/server_link.h"
#include "caddis/harvestserver/settings.h"
#include "caddis/harvestserver/store.h"
#include "caddis/harvestserver/unpacked_jobs.h"
#include "caddis/io/files.h"
#include "caddis/io/links.h"
#include "caddis/process/programs.h"
#include "caddis/sql/database.h"
#include "caddis/webui/pages.h"
#include "engine_commands.h"
#include "file_limit.h"
#include "harvester_door.h"
#include "replay_site.h"
#include "stop_signals.h"
#include "tell.h"

namespace caddis::cli {
namespace {

using Request = http::ServerRequest;
using Response = aio::Task<http::ServerResponse>;

constexpr Duration kStep = std::chrono::milliseconds(500);
constexpr int64_t kLeastMemoryMb = 400;
constexpr uint16_t kServePort = 8445;

struct HarvestServerCommand {
  std::string data = "harvests";
  std::string database;  // empty: SQLite in `data`
  std::vector<std::string> listen = {"127.0.0.1:8444"};
  std::string replay;
  std::string serve;  // ADDR:PORT, "none", or empty
  bool has_harvester = true;
  std::vector<std::string> channels;
  int64_t least_memory_mb = kLeastMemoryMb;
  AccessOptions access;

  // Unless another server does, or nobody is to.
  bool serves_archive() const { return serve.empty() ? replay.empty() : serve != "none"; }
};

struct HarvesterCommand {
  harvestserver::LinkOptions link;
  harvestserver::HarvesterOptions harvester{.data = "harvester"};
  std::string token_file;
  std::string every = "20s";
  std::string metrics;  // where it answers Prometheus; empty: nowhere
  int64_t least_free_mb = 400;
  int64_t least_memory_mb = kLeastMemoryMb;
};

void watch_memory(harvestserver::HarvesterOptions& options, int64_t least_mb) {
  options.least_memory = static_cast<uint64_t>(least_mb) * 1'000'000;
  options.memory_available = engine::memory_available;
}

// Steps again and again on a worker, and says once what goes wrong for long.
aio::Task<void> harvest_until_stopped(aio::Loop& loop, aio::Blocking& worker, harvestserver::Harvester& harvester) {
  std::string last;
  while (!stop_asked()) {
    Result<void> done;
    std::function<void()> work = [&] { done = harvester.step(); };
    co_await worker.run(loop, std::move(work));
    const std::string problem = done ? std::string() : done.error().message;
    if (problem != last && !problem.empty()) log_error("harvester", "{}", problem);
    last = problem;
    co_await aio::sleep_for(loop, kStep);
  }
}

// Goes on as long as there is something to do, and looks again after a while.
aio::Task<void> keep_until_stopped(aio::Loop& loop, aio::Blocking& worker, harvestserver::Keeper& keeper,
                                   Duration pause) {
  std::string last;
  while (!stop_asked()) {
    Result<bool> more;
    std::function<void()> work = [&] { more = keeper.step(); };
    co_await worker.run(loop, std::move(work));
    const std::string problem = more ? std::string() : more.error().message;
    if (problem != last && !problem.empty()) log_error("stores", "{}", problem);
    last = problem;
    const SteadyTime next = loop.clock().steady() + (more && *more ? Duration(0) : pause);
    do co_await aio::sleep_for(loop, std::chrono::milliseconds(100));
    while (!stop_asked() && loop.clock().steady() < next);
  }
}

// Goes on with metadata files that somebody has looked into, and that are large.
aio::Task<void> unpack_until_stopped(aio::Loop& loop, aio::Blocking& worker, harvestserver::UnpackedJobs& unpacked) {
  while (!stop_asked()) {
    bool more = false;
    std::function<void()> work = [&] { more = unpacked.step(); };
    co_await worker.run(loop, std::move(work));
    co_await aio::sleep_for(loop, std::chrono::milliseconds(more ? 10 : 500));
  }
}

std::string users_file(const HarvestServerCommand& command) {
  return command.access.users.empty() ? command.data + "/users" : command.access.users;
}

Result<std::unique_ptr<access::Gate>> gate_of(const HarvestServerCommand& command, access::GateWorld world) {
  const std::string users = users_file(command);
  access::GateOptions options{.users_file = users,
                              .audit_file = command.access.audit.empty() ? users + ".audit.log" : command.access.audit,
                              .names = own_names(command.access),
                              .token = {},
                              .makes_admin = true,
                              .trusts_loopback = command.access.trusts_loopback,
                              .keeps_digest = false,
                              .base = {},
                              .log_outs = command.access.log_outs};
  TRY(auto gate, access::Gate::open(world, std::move(options)));
  if (!gate->first_password().empty())
    tell(fmt::format("log in as admin with the password {} (it is said this once; change it with caddis users password "
                     "admin --file {})\n",
                     gate->first_password(), users),
         stdout);
  return gate;
}

// An embedded database holds passwords of sites: nobody else reads it, nor the copies of it. SQLite makes what it puts
// beside it with the same mode.
Result<void> keep_private(const std::string& address, const std::string& backups) {
  TRY(const sql::Address parsed, sql::parse_address(address));
  if (parsed.dialect != sql::Dialect::sqlite) return {};
  io::Files& files = io::real_files();
  std::string path = parsed.place;
  if (files.exists(path)) {
    TRY(path, io::real_path(path));
  }
  for (const std::string& one : {path, path + "-wal", path + "-shm", backups})
    if (const auto kept = files.keep_private(one); !kept)
      log_warn("harvest", "others may read passwords of sites: {}", kept.error().message);
  TRY_VOID(files.open_append(path));
  return {};
}

Result<std::unique_ptr<sql::Database>> open_database(const HarvestServerCommand& command) {
  const std::string address =
      command.database.empty() ? fmt::format("sqlite:{}/harvest.db", command.data) : command.database;
  TRY_VOID(keep_private(address, command.data + "/backups"));
  TRY(auto database, sql::Database::open(address));
  TRY(const int version, sql::migrate(*database, harvest::schema_steps(), system_clock()));
  (void)version;
  // Names of before there was a column for them.
  for (int64_t last = 0;;) {
    TRY(last, database->write([&](sql::Connection& c) { return harvest::fill_shown_names(c, last); }));
    if (last == 0) break;
  }
  const auto now = std::chrono::duration_cast<std::chrono::seconds>(system_clock().wall().time_since_epoch()).count();
  TRY_VOID(database->transact(
      [&](sql::Connection& c) { return harvest::put_in_first_plans(c, {"caddis harvest server", now}); }));
  return database;
}

access::Role nobody(const Request&) { return access::Role::none; }

engine::Mount health_mount() {
  return engine::open_read_only(
      "/healthz", [](const Request&, const access::Identity&) -> Response { co_return control::healthy(); });
}

std::vector<engine::Mount> mounts_of(aio::Loop& loop, aio::Blocking& workers, const harvestserver::Parts& parts,
                                     harvestserver::HarvestApi& api) {
  std::vector<engine::Mount> mounts;
  mounts.push_back({"/api", std::bind_front(&harvestserver::HarvestApi::answer, &api), harvestserver::role_for});
  mounts.push_back(engine::read_only("/metrics", [&loop, &workers, &parts](const Request&, const access::Identity&) {
    return harvestserver::tell_harvest_metrics(loop, workers, parts);
  }));
  mounts.push_back(
      engine::open_read_only("/readyz", [&loop, &workers, &parts](const Request&, const access::Identity&) {
        return harvestserver::tell_harvest_readiness(loop, workers, parts);
      }));
  mounts.push_back(health_mount());
  mounts.push_back({"/",
                    [](const Request& request, const access::Identity&) -> Response {
                      co_return webui::answer(request, webui::Server::harvest);
                    },
                    nobody});
  return mounts;
}

Result<void> listen_for_people(aio::Loop& loop, aio::Network& network, const HarvestServerCommand& command,
                               engine::EngineServer& server) {
  for (const std::string& listen : command.listen) {
    TRY(const aio::Endpoint at, control::parse_endpoint(listen));
    TRY_VOID(check_listen(command.access, listen, true));
    TRY(auto listener, open_listener(loop, network, at, command.access, command.data));
    for (const std::string& address : control::openable_urls(listener->local(), command.access.scheme()))
      tell(fmt::format("harvest server: {}\n", address), stdout);
    server.listen_on(std::move(listener));
  }
  return {};
}

void name_machine(harvestserver::HarvesterOptions& options) {
  options.host = aio::host_name();
  options.ip = aio::outgoing_address();
}

// The harvester of this process, which asks the server through its socket as every other does over the network.
Result<std::unique_ptr<harvestserver::Harvester>> own_harvester(const HarvestServerCommand& command,
                                                                const engine::JobWorld& world,
                                                                const std::string& socket,
                                                                const harvestserver::ServerSettings& settings) {
  harvestserver::LinkOptions link;
  link.server = socket;
  TRY(auto made, harvestserver::make_link(link));
  harvestserver::HarvesterOptions options;
  options.data = command.data + "/harvester";
  options.name = "local";
  options.channels = command.channels;
  name_machine(options);
  watch_memory(options, command.least_memory_mb);
  options.hello_interval = std::min<Duration>(options.hello_interval, settings.harvest.check_interval);
  options.progress_interval = std::min<Duration>(options.progress_interval, settings.harvest.check_interval);
  options.wish_interval = std::min<Duration>(options.wish_interval, settings.harvest.check_interval);
  return harvestserver::Harvester::open(world, std::move(made), options);
}

// Where the archive is shown: for those who reach the server, if nothing else is said.
Result<std::string> serve_address(const HarvestServerCommand& command) {
  if (!command.serve.empty()) return command.serve;
  TRY(aio::Endpoint at, control::parse_endpoint(command.listen.front()));
  if (at.port != 0) at.port = kServePort;
  return aio::to_string(at);
}

// The pages of the archive, and of single jobs, beside the server's own: for the same users.
Result<std::unique_ptr<ReplaySite>> start_replay(aio::Loop& loop, aio::Network& network,
                                                 const HarvestServerCommand& command, access::Gate& gate,
                                                 harvestserver::JobViews& views) {
  TRY_VOID(views.begin());
  ServeOptions options;
  options.path = views.folder();
  TRY(options.listen, serve_address(command));
  options.access = command.access;
  if (command.access.insecure == command.listen.front()) options.access.insecure = options.listen;
  options.access.users = users_file(command);
  options.names.own = command.access.names;
  options.gate = &gate;
  auto site = ReplaySite::start(loop, network, options);
  if (!site)
    return pass(std::move(site).error(),
                fmt::format("--serve {} (--serve none: do not show what was harvested)", options.listen));
  (*site)->tell_addresses();
  return site;
}

struct ServerRun {
  aio::Loop& loop;
  aio::Blocking& harvesting;
  harvestserver::Scheduler& scheduler;
  engine::EngineServer& server;
  harvestserver::Harvester* harvester;
  aio::Blocking& keeping;
  harvestserver::Keeper& keeper;
  Duration keeper_pause;
  aio::Blocking& unpacking;
  harvestserver::UnpackedJobs& unpacked;
  harvestserver::Announcer& announcer;
  ReplaySite* replay;
};

aio::Task<void> run_until_stopped(ServerRun run) {
  aio::Nursery nursery;
  nursery.spawn(run.scheduler.run());
  if (run.harvester != nullptr) nursery.spawn(harvest_until_stopped(run.loop, run.harvesting, *run.harvester));
  nursery.spawn(keep_until_stopped(run.loop, run.keeping, run.keeper, run.keeper_pause));
  nursery.spawn(unpack_until_stopped(run.loop, run.unpacking, run.unpacked));
  while (!stop_asked()) {
    run.announcer.tick();
    co_await aio::sleep_for(run.loop, std::chrono::milliseconds(100));
  }
  run.scheduler.stop();
  co_await nursery.join();
  co_await run.announcer.close();
  if (run.replay != nullptr) co_await run.replay->stop();
  co_await run.server.stop();
}

Result<void> run_server(const HarvestServerCommand& given) {
  raise_file_limit();
  HarvestServerCommand command = given;
  command.access.log_outs = std::make_shared<access::LogOuts>();
  io::Files& files = io::real_files();
  TRY_VOID(files.make_dirs(command.data));
  TRY(command.data, io::real_path(command.data));
  TRY(const auto lock, files.lock(command.data + "/lock", "a harvest server"));
  TRY(const harvestserver::ServerSettings settings,
      harvestserver::load_server_settings(files, command.data + "/harvest.yaml"));
  const std::string settings_file = command.data + "/harvest.yaml";
  if (const auto lacking =
          harvestserver::lacking_contact(files, settings.harvest, settings_file, command.has_harvester))
    log_warn("harvest", "{}", *lacking);
  TRY(const auto database, open_database(command));
  TRY(harvestserver::Store store, harvestserver::Store::open(files, command.data));
  harvestserver::UnpackedJobs unpacked(files, command.data + "/unpacked");
  const auto loop = aio::make_loop(system_clock());
  const auto network = aio::make_network(*loop);
  // Most of their time goes into waiting for the database and disks.
  const auto workers = aio::make_blocking(std::max(16u, 4 * std::thread::hardware_concurrency()));
  const auto generating = aio::make_blocking(4);
  const auto harvesting = aio::make_blocking(1);
  TRY(const auto gate, gate_of(command, {*loop, *workers, files}));
  const auto keeping = aio::make_blocking(1);
  const auto unpacking = aio::make_blocking(1);
  TRY(const auto keeper,
      harvestserver::Keeper::open({files, system_clock()}, *database, settings.harvest, command.data));
  keeper->stop_when(stop_asked);
  harvestserver::Parts parts{*database,   files,    system_clock(), settings,
                             store,       unpacked, command.replay, rfc3339(system_clock().wall()),
                             keeper.get()};
  harvestserver::Scheduler scheduler(*loop, *generating, parts, command.data + "/backups");
  parts.look_now = [&scheduler] { scheduler.look_soon(); };
  const auto webhook = alerts::make_webhook(*loop);
  process::ProgramPool programs(process::supervisor_command(), 1, system_clock());
  harvestserver::Announcer announcer(
      *loop, *webhook, programs, parts,
      {std::filesystem::path(command.data).filename(), command.data, aio::host_name(), "server"});
  parts.announce = std::bind_front(&harvestserver::Announcer::look, &announcer);
  harvestserver::JobViews views(files, command.data);
  harvestserver::HarvestApi api(*loop, *workers, parts);
  const std::string socket = command.data + "/harvest.sock";
  TRY(const auto server, engine::EngineServer::start(*loop, {.socket = socket, .workers = workers.get()},
                                                     mounts_of(*loop, *workers, parts, api), gate.get()));
  const engine::JobWorld world = engine::real_job_world();
  std::unique_ptr<harvestserver::Harvester> harvester;
  Result<void> ready = listen_for_people(*loop, *network, command, *server);
  std::unique_ptr<ReplaySite> replay;
  if (ready && command.serves_archive()) {
    auto started = start_replay(*loop, *network, command, *gate, views);
    if (started)
      replay = *std::move(started);
    else
      ready = std::unexpected(std::move(started).error());
  }
  if (replay) {
    parts.views = &views;
    parts.replay_port = replay->local().port;
    parts.show_at_once = std::bind_front(&ReplaySite::show_at_once, replay.get());
  }
  if (ready && command.has_harvester) {
    auto opened = own_harvester(command, world, socket, settings);
    if (opened)
      harvester = *std::move(opened);
    else
      ready = std::unexpected(std::move(opened).error());
  }
  if (!ready) {
    if (replay) aio::run_to_end(*loop, replay->stop());
    aio::run_to_end(*loop, server->stop());
    return ready;
  }
  std::fflush(stdout);
  take_stop_signals();
  aio::run_to_end(*loop,
                  run_until_stopped({*loop, *harvesting, scheduler, *server, harvester.get(), *keeping, *keeper,
                                     settings.harvest.check_interval, *unpacking, unpacked, announcer, replay.get()}));
  return {};
}

aio::Task<void> harvest_with_door(aio::Loop& loop, aio::Blocking& worker, harvestserver::Harvester& harvester,
                                  HarvesterDoor& door) {
  co_await harvest_until_stopped(loop, worker, harvester);
  co_await door.close();
}

Result<void> run_harvester(const HarvesterCommand& given) {
  raise_file_limit();
  HarvesterCommand command = given;
  io::Files& files = io::real_files();
  if (!command.token_file.empty()) {
    TRY(const std::string token, files.read_all(command.token_file, 4096));
    command.link.token = std::string(trim(token));
  } else if (const char* const token = std::getenv("CADDIS_TOKEN"); token != nullptr) {
    command.link.token = token;
  }
  TRY(const Duration every, parse_duration(command.every));
  if (every < std::chrono::milliseconds(100)) return fail(ErrorCode::config, "--every is 100ms or more");
  command.harvester.hello_interval = command.harvester.progress_interval = every;
  command.harvester.wish_interval = std::min<Duration>(command.harvester.wish_interval, every);
  command.harvester.least_free = static_cast<uint64_t>(command.least_free_mb) * 1'000'000;
  TRY_VOID(files.make_dirs(command.harvester.data));
  TRY(command.harvester.data, io::real_path(command.harvester.data));
  name_machine(command.harvester);
  watch_memory(command.harvester, command.least_memory_mb);
  TRY(auto link, harvestserver::make_link(command.link));
  const engine::JobWorld world = engine::real_job_world();
  TRY(const auto harvester, harvestserver::Harvester::open(world, std::move(link), command.harvester));
  const auto loop = aio::make_loop(system_clock());
  const auto worker = aio::make_blocking(1);
  TRY(const auto door, HarvesterDoor::open(*loop, command.metrics, harvester->jobs()));
  tell(fmt::format("harvester {} for {}\n", command.harvester.name, command.link.server), stdout);
  std::fflush(stdout);
  take_stop_signals();
  aio::run_to_end(*loop, harvest_with_door(*loop, *worker, *harvester, *door));
  return {};
}

struct ImportCommand {
  HarvestServerCommand server;
  harvest::NasOptions options;
};

std::string problems_text(const harvest::NasReport& report) {
  std::string text;
  for (const harvest::NasProblem& one : report.problems)
    text += one.line > 0 ? fmt::format("{} (line {}): {}\n", one.table, one.line, one.text)
                         : fmt::format("{}: {}\n", one.table, one.text);
  return text;
}

Result<void> run_import(const ImportCommand& command) {
  io::Files& files = io::real_files();
  TRY_VOID(files.make_dirs(command.server.data));
  const auto lock = files.lock(command.server.data + "/lock", "a harvest server");
  if (!lock) return std::unexpected(lock.error());
  TRY(const auto database, open_database(command.server));
  const auto now = std::chrono::duration_cast<std::chrono::seconds>(system_clock().wall().time_since_epoch()).count();
  TRY(const harvest::NasReport report,
      harvest::import_nas_database(files, *database, command.options, {"import from NetarchiveSuite", now}));
  const std::string problems = problems_text(report);
  tell(problems, stdout);
  std::string words = fmt::format("{:<34}{:>12}{:>12}\n", "table", "rows", "taken");
  for (const auto& [table, rows] : report.in_dump) {
    const auto taken = report.taken.find(table);
    words += fmt::format("{:<34}{:>12}{:>12}\n", table, rows, taken == report.taken.end() ? 0 : taken->second);
  }
  tell(words, stdout);
  if (command.options.only_tries) {
    tell("this was a try: nothing was written\n", stdout);
    return {};
  }
  const std::string kept = command.server.data + "/import-report.txt";
  TRY_VOID(files.write_atomically(kept, words + "\n" + problems));
  tell(fmt::format("to be looked after: {}, kept in {}\n", counted(report.problems.size(), "remark"), kept), stdout);
  return {};
}

int exit_code_of(std::string_view name, const Result<void>& done) {
  if (done) return 0;
  tell(fmt::format("caddis harvest {}: {}\n", name, done.error().message));
  const ErrorCode code = done.error().code;
  return code == ErrorCode::config || code == ErrorCode::conflict || code == ErrorCode::parse ? 2 : 1;
}

void add_least_memory(CLI::App& command, int64_t& megabytes) {
  command
      .add_option("--least-memory", megabytes,
                  "Megabytes of available memory without which its harvester takes no job; 0: it does not look")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
}

void add_server(CLI::App& harvest, int& exit_code) {
  CLI::App* command =
      harvest.add_subcommand("server", "Manage harvests: domains, schedules, jobs, and what they brought");
  command->footer(
      "Ctrl-C (SIGINT), SIGTERM and SIGHUP stop the server, and not its crawls: these go on, and the next server finds "
      "them.\nMore: docs/harvesting.md.");
  auto options = std::make_shared<HarvestServerCommand>();
  command->add_option("--data", options->data, "The folder of the archive; it is made if it is not there")
      ->capture_default_str();
  command->add_option("--database", options->database,
                      "postgresql://user@host/database, or sqlite:PATH; without it harvest.db in the folder");
  command
      ->add_option("--listen", options->listen,
                   "Answer at ADDR:PORT over HTTP (repeatable); port 0 takes a free one, which is printed")
      ->allow_extra_args(false)
      ->capture_default_str();
  command
      ->add_option("--replay", options->replay,
                   "The address at which another caddis serve shows the archive (DATA/archive), for links to it")
      ->option_text("URL");
  command
      ->add_option("--serve", options->serve,
                   "Show what was harvested at ADDR:PORT, to the same users; none: do not. Without it port 8445 at the "
                   "host of the first --listen, or none with --replay")
      ->option_text("ADDR:PORT|none");
  command->add_flag("!--no-harvester", options->has_harvester, "Run no harvester in this process");
  command->add_option("--channel", options->channels, "Channels of that harvester (repeatable); without it all")
      ->allow_extra_args(false);
  add_least_memory(*command, options->least_memory_mb);
  add_access_options(*command, options->access);
  command->add_flag("--trust-loopback", options->access.trusts_loopback,
                    "Ask nobody on this machine to log in: every user of it may do everything");
  command->callback([options, &exit_code] { exit_code = exit_code_of("server", run_server(*options)); });
}

void add_harvester(CLI::App& harvest, int& exit_code) {
  CLI::App* command =
      harvest.add_subcommand("harvester", "Take jobs of a harvest server, and crawl them on this machine");
  command->footer("The token is read from --token-file, or from CADDIS_TOKEN. More: docs/harvesting.md.");
  auto options = std::make_shared<HarvesterCommand>();
  command->add_option("--server", options->link.server, "The address of the server")->required()->option_text("URL");
  command->add_option("--name", options->harvester.name, "The name of this harvester: each has its own")->required();
  command->add_option("--data", options->harvester.data, "The folder of its jobs; it is made if it is not there")
      ->capture_default_str();
  command
      ->add_option("--channel", options->harvester.channels,
                   "Channels whose jobs it takes (repeatable); without it all")
      ->allow_extra_args(false);
  command->add_option("--token-file", options->token_file,
                      "A file with a token of the role harvester (caddis users token)");
  command->add_option("--fingerprint", options->link.fingerprint,
                      "SHA-256 of the server's certificate, if it has made that itself");
  command->add_option("--every", options->every, "How often it looks for a job, and tells how its own goes")
      ->capture_default_str();
  command
      ->add_option(
          "--metrics", options->metrics,
          "Answer /metrics (Prometheus) and /healthz at ADDR:PORT, to everybody who reaches it; port 0 takes a "
          "free one, which is printed")
      ->option_text("ADDR:PORT");
  command->add_option("--least-free", options->least_free_mb, "Megabytes of the disk without which it takes no job")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  add_least_memory(*command, options->least_memory_mb);
  command->callback([options, &exit_code] { exit_code = exit_code_of("harvester", run_harvester(*options)); });
}

void add_import(CLI::App& harvest, int& exit_code) {
  CLI::App* command =
      harvest.add_subcommand("import", "Take over the database of a NetarchiveSuite, into a new archive");
  command->footer(
      "The file is made by: pg_dump --format=plain --data-only HARVESTDB > FILE\nOf Derby, a folder with a file a "
      "table, "
      "domains.csv and so on, as SYSCS_UTIL.SYSCS_EXPORT_TABLE writes them, behind a line with the names of the "
      "columns.\nWhat cannot be taken is told by table "
      "and line of the file. Harvests come deactivated. More: docs/harvesting.md.");
  auto given = std::make_shared<ImportCommand>();
  command->add_option("--data", given->server.data, "The folder of the archive; it is made if it is not there")
      ->capture_default_str();
  command->add_option("--database", given->server.database,
                      "postgresql://user@host/database, or sqlite:PATH; without it harvest.db in the folder");
  command
      ->add_option("--zone", given->options.zone,
                   "The time zone of the machine of NetarchiveSuite, as Europe/Copenhagen")
      ->capture_default_str();
  command->add_flag("--try", given->options.only_tries, "Say what would be taken, and write nothing");
  command->add_option("dump", given->options.dump, "The dump, or a folder of exported tables")
      ->required()
      ->option_text("FILE|FOLDER");
  command->callback([given, &exit_code] { exit_code = exit_code_of("import", run_import(*given)); });
}

}  // namespace

void add_harvest_commands(CLI::App& app, int& exit_code) {
  CLI::App* harvest = app.add_subcommand("harvest", "Manage harvests of many domains")->require_subcommand(1);
  add_server(*harvest, exit_code);
  add_harvester(*harvest, exit_code);
  add_import(*harvest, exit_code);
}

}  // namespace caddis::cli
