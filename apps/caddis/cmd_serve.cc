// caddis serve: the wayback machine over HTTP.
#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>

#include "access_options.h"
#include "auto_index.h"
#include "caddis/aio/blocking.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/nursery.h"
#include "caddis/base/clock.h"
#include "caddis/base/random.h"
#include "caddis/base/time_format.h"
#include "caddis/control/control_client.h"
#include "caddis/control/endpoint.h"
#include "caddis/http/server.h"
#include "caddis/io/files.h"
#include "caddis/replay/headers.h"
#include "caddis/replay/wayback.h"
#include "commands.h"
#include "file_limit.h"
#include "stop_signals.h"
#include "tell.h"

namespace caddis::cli {
namespace {

struct ServeOptions {
  std::string path = ".";
  std::string listen = "127.0.0.1:8080";
  replay::ServeNames names;
  AccessOptions access;
  size_t max_connections = http::ServerSettings().max_connections;
  size_t max_per_address = http::ServerSettings().max_per_address;
  std::string auto_index = "0s";
};

// Reading archives blocks: requests are answered on worker threads, the loop stays free for sockets.
aio::Task<http::ServerResponse> answer(replay::Wayback& wayback, aio::Blocking& workers, aio::Loop& loop,
                                       const http::ServerRequest& request) {
  http::ServerResponse response;
  std::function<void()> work = [&] { response = wayback.handle(request); };
  co_await workers.run(loop, std::move(work));
  co_return response;
}

// Captured pages have no log-in: their addresses have a key, which the page around them gives away. The archive's scripts
// and styles are no secret.
bool is_for_strangers(std::string_view path) { return path.starts_with("/~") || path.starts_with("/-/"); }

aio::Task<void> serve_until_stopped(aio::Loop& loop, http::Server& server, aio::Nursery& nursery) {
  while (!stop_asked()) co_await aio::sleep_for(loop, std::chrono::milliseconds(100));
  co_await server.stop();
  co_await nursery.join();
}

// Also what the server itself refuses is shown in frames of captured pages, and must give them nothing to reach into.
http::ServerResponse refusal(int status, std::string_view message) {
  http::ServerResponse response = http::text_response(status, message);
  replay::add_confinement(response.headers, replay::Confinement());
  return response;
}

Result<replay::Origins> origins_of(const ServeOptions& options, const aio::Endpoint& at,
                                   const std::vector<std::unique_ptr<replay::Collection>>& collections) {
  replay::ServeNames names = options.names;
  names.are_keyed = !options.access.users.empty();
  if (at.address == "::1") names.local = "localhost";
  std::vector<std::string> collection_names;
  for (const auto& collection : collections) collection_names.push_back(collection->name());
  SeededRandom random(system_seed());
  return replay::Origins::create(std::move(names), collection_names, random.uuid());
}

std::vector<std::string> urls_of(const aio::Endpoint& local, const std::string& scheme) {
  // Captured pages are not shown under IPv6 addresses.
  if (local.address == "::1") return {fmt::format("{}://localhost:{}/", scheme, local.port)};
  return control::openable_urls(local, scheme);
}

Result<void> serve(const ServeOptions& options) {
  raise_file_limit();
  TRY(const aio::Endpoint at, control::parse_endpoint(options.listen));
  TRY(const Duration every, parse_duration(options.auto_index));
  TRY_VOID(check_listen(options.access, options.listen, !options.access.users.empty()));
  TRY(auto collections, replay::open_collections(io::real_files(), system_clock(), options.path));
  TRY(auto origins, origins_of(options, at, collections));
  replay::Wayback wayback(io::real_files(), std::move(collections), std::move(origins), control::ask);
  const auto loop = aio::make_loop(system_clock());
  const auto network = aio::make_network(*loop);
  // More than there are processors: most of their time goes into waiting for a disk.
  const auto workers = aio::make_blocking(std::max(8u, 2 * std::thread::hardware_concurrency()));
  std::unique_ptr<access::Gate> gate;
  if (!options.access.users.empty()) {
    AccessOptions known = options.access;
    known.names = options.names.own;
    TRY(gate, open_gate({*loop, *workers, io::real_files()}, known, ""));
  }
  const access::Answer answers = [&](const http::ServerRequest& request, const access::Identity&) {
    return answer(wayback, *workers, *loop, request);
  };
  const http::Handler handler = [&](const http::ServerRequest& request) {
    return gate == nullptr || is_for_strangers(request.path) ? answer(wayback, *workers, *loop, request)
                                                             : gate->answer(request, access::Role::viewer, answers);
  };
  http::ServerSettings settings;
  settings.refusal = refusal;
  settings.workers = workers.get();
  settings.max_connections = options.max_connections;
  settings.max_per_address = options.max_per_address;
  settings.max_body = 256 * 1024;  // what pages post is not used
  TRY(auto listener, open_listener(*loop, *network, at, options.access, ""));
  const auto server = http::Server::start_on(*loop, std::move(listener), handler, settings);
  for (const auto& collection : wayback.collections())
    for (const std::string& url : urls_of(server->local(), options.access.scheme()))
      tell(fmt::format("serving {} at {}{}/\n", collection->path(), url, collection->name()), stdout);
  std::fflush(stdout);
  take_stop_signals();
  aio::Nursery nursery;
  if (every > Duration::zero()) nursery.spawn(index_new_files(*loop, *workers, wayback.collections(), every));
  aio::run_to_end(*loop, serve_until_stopped(*loop, *server, nursery));
  return {};
}

}  // namespace

void add_serve_commands(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("serve", "Replay an archive in the browser");
  command->footer("Ctrl-C (SIGINT), SIGTERM and SIGHUP stop it; SIGHUP does not if it is ignored (nohup).");
  auto options = std::make_shared<ServeOptions>();
  command->add_option("path", options->path, "A collection, a folder of collections, or a WARC or ARC file")
      ->capture_default_str();
  command->add_option("--listen", options->listen, "ADDR:PORT; port 0 takes a free one, which is printed")
      ->capture_default_str();
  command->add_option("--public-name", options->names.own,
                      "NAME under which people reach the archive, besides addresses and localhost (repeatable)");
  add_access_options(*command, options->access, false);
  command->add_option("--captures-host", options->names.captures,
                      "Host names for captured pages, one for each collection: {collection}.replay.example.org");
  command->add_option("--max-connections", options->max_connections, "At most so many connections at the same time")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--connections-per-address", options->max_per_address,
                   "At most so many connections of one address; 0 for any number, as behind a reverse proxy, whose "
                   "address all clients have")
      ->capture_default_str();
  command
      ->add_option("--auto-index", options->auto_index,
                   "Index archive files that are put into the folders of a collection, looking every so often: 30s")
      ->capture_default_str();
  command->callback([options, &exit_code] {
    const auto served = serve(*options);
    if (served) return;
    tell(fmt::format("caddis serve: {}\n", served.error().message));
    exit_code = served.error().code == ErrorCode::config || served.error().code == ErrorCode::not_found ? 2 : 1;
  });
}

}  // namespace caddis::cli
