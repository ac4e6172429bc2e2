// caddis serve: the wayback machine over HTTP.
#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>

#include "access_options.h"
#include "auto_index.h"
#include "caddis/access/identity.h"
#include "caddis/access/standing.h"
#include "caddis/access/user_store.h"
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
#include "caddis/pages/pages.h"
#include "caddis/replay/headers.h"
#include "caddis/replay/served_rules.h"
#include "caddis/replay/wayback.h"
#include "commands.h"
#include "file_limit.h"
#include "serve_door.h"
#include "serve_proxy.h"
#include "stop_signals.h"
#include "tell.h"

namespace caddis::cli {
namespace {

struct ServeOptions {
  std::string path = ".";
  std::string listen = "127.0.0.1:8080";
  std::string theme;   // a folder
  std::string launch;  // the only one that is shown
  std::string rules;   // a file of fuzzy.h
  replay::ServeNames names;
  AccessOptions access;
  ProxyOptions proxy;
  ServeDoorOptions door;
  std::string access_rules;  // a file of access rules for all collections
  std::string sources;       // a file of sources for all collections
  size_t max_connections = http::ServerSettings().max_connections;
  size_t max_per_address = http::ServerSettings().max_per_address;
  std::string auto_index = "0s";
};

aio::Task<void> serve_until_stopped(aio::Loop& loop, http::Server& server, ServeProxy* proxy, aio::Nursery& nursery) {
  while (!stop_asked()) co_await aio::sleep_for(loop, std::chrono::milliseconds(100));
  if (proxy != nullptr) co_await proxy->stop();
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

Result<replay::WaybackOptions> wayback_options(const ServeOptions& options) {
  replay::WaybackOptions made;
  if (!options.theme.empty()) {
    TRY(auto theme, pages::read_theme(io::real_files(), options.theme));
    TRY(made.pages, pages::Pages::create(std::move(theme)));
  }
  if (!options.rules.empty()) {
    TRY(const std::string text, io::real_files().read_all(options.rules, 16 << 20));
    auto rules = replay::FuzzyRules::parse(text);
    if (!rules) return pass(rules.error(), options.rules);
    made.fuzzy = *std::move(rules);
  }
  return made;
}

// Captured pages show no log-in: their keys are worth what that of their user is by the file of users.
replay::Standing standing_by(const std::string& users_file) {
  return [users = std::make_shared<access::UserStore>(io::real_files(), users_file)](const viewing::Viewer& viewer) {
    return access::standing_of(*users, viewer.user, access::role_of(viewer.role).value_or(access::Role::none));
  };
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
  TRY(auto collections,
      replay::open_collections(io::real_files(), system_clock(), options.path, options.launch, options.sources));
  TRY(auto wayback_settings, wayback_options(options));
  TRY(auto origins, origins_of(options, at, collections));
  TRY(wayback_settings.rules,
      replay::ServedRules::open(io::real_files(), system_clock(), options.access_rules, collections));
  const std::shared_ptr<replay::ServedRules> rules = wayback_settings.rules;
  if (!options.access.users.empty()) wayback_settings.standing = standing_by(options.access.users);
  replay::Wayback wayback(io::real_files(), std::move(collections), std::move(origins), control::ask,
                          std::move(wayback_settings));
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
  TRY(const auto door, ServeDoor::open({wayback, *rules, gate.get(), *workers, *loop}, options.door));
  const http::Handler handler = [&](const http::ServerRequest& request) { return door->answer(request); };
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
  std::unique_ptr<ServeProxy> proxy;
  if (!options.proxy.listen.empty()) {
    auto started = ServeProxy::start(*loop, *network, *workers, wayback, *door, options.proxy, options.access);
    if (!started) {
      aio::run_to_end(*loop, server->stop());
      return std::unexpected(started.error());
    }
    proxy = *std::move(started);
    tell(fmt::format("the past by proxy: set a browser's proxy for HTTP and HTTPS to {}:{}, and open http://{}:{}/\n",
                     proxy->local().address, proxy->local().port, proxy->local().address, proxy->local().port),
         stdout);
  }
  std::fflush(stdout);
  take_stop_signals();
  aio::Nursery nursery;
  if (every > Duration::zero()) nursery.spawn(index_new_files(*loop, *workers, wayback.collections(), every));
  aio::run_to_end(*loop, serve_until_stopped(*loop, *server, proxy.get(), nursery));
  return {};
}

}  // namespace

void add_serve_commands(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("serve", "Replay an archive in the browser");
  command->footer("Ctrl-C (SIGINT), SIGTERM and SIGHUP stop it; SIGHUP does not if it is ignored (nohup).");
  auto options = std::make_shared<ServeOptions>();
  command->add_option("path", options->path, "A collection, a folder of collections, or a WARC, ARC or WACZ file")
      ->capture_default_str();
  command->add_option("--listen", options->listen, "ADDR:PORT; port 0 takes a free one, which is printed")
      ->capture_default_str();
  command->add_option("--theme", options->theme,
                      "FOLDER with the archive's own name, logo, colours and words (docs/branding.md)");
  command->add_option("--proxy", options->proxy.listen,
                      "ADDR:PORT where browsers find the archive as an HTTP proxy, and browse the past");
  command->add_option("--proxy-folder", options->proxy.folder,
                      "FOLDER that keeps the proxy's certificate authority [~/.config/caddis]");
  command->add_option("--replay-rules", options->rules,
                      "FILE of rules which URLs stand for the same, besides the built-in ones (docs/serving.md)");
  command->add_option("--launch", options->launch, "Show only what this launch has captured: a name in crawls/");
  command->add_option("--public-name", options->names.own,
                      "NAME under which people reach the archive, besides addresses and localhost (repeatable)");
  add_access_options(*command, options->access, false);
  command->add_option("--captures-host", options->names.captures,
                      "Host names for captured pages, one for each collection: {collection}.replay.example.org");
  command
      ->add_option("--access-rules", options->access_rules,
                   "Rules about who may see which captures, for all collections (caddis access); besides, each has its "
                   "own in access.yaml")
      ->option_text("FILE");
  command
      ->add_option(
          "--sources", options->sources,
          "Where records and captures of all collections lie besides their own folders (docs/formats/sources.md); "
          "besides, each may have a sources.yaml")
      ->option_text("FILE");
  add_door_options(*command, options->door);
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
