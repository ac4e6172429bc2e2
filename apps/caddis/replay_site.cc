#include "replay_site.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>
#include <utility>

#include "auto_index.h"
#include "caddis/access/identity.h"
#include "caddis/access/log_outs.h"
#include "caddis/access/standing.h"
#include "caddis/access/user_store.h"
#include "caddis/aio/blocking.h"
#include "caddis/aio/nursery.h"
#include "caddis/base/clock.h"
#include "caddis/base/random.h"
#include "caddis/base/time_format.h"
#include "caddis/cdxserver/index_folder.h"
#include "caddis/control/control_client.h"
#include "caddis/control/endpoint.h"
#include "caddis/http/host_check.h"
#include "caddis/io/files.h"
#include "caddis/pages/pages.h"
#include "caddis/replay/aggregate.h"
#include "caddis/replay/headers.h"
#include "caddis/replay/served_rules.h"
#include "caddis/replay/wayback.h"
#include "index_site.h"
#include "tell.h"

namespace caddis::cli {
namespace {

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
  made.is_frameless = options.is_frameless;
  TRY(made.limits, answer_limits(options.limits));
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
// They end with a log-out of the user.
replay::Standing standing_by(const std::string& users_file, std::shared_ptr<const access::LogOuts> log_outs) {
  return [users = std::make_shared<access::UserStore>(io::real_files(), users_file),
          log_outs = std::move(log_outs)](const viewing::Viewer& viewer) {
    return access::standing_of(*users, *log_outs, viewer.user,
                               access::role_of(viewer.role).value_or(access::Role::none));
  };
}

// Opens the index of each collection's name, whose captures the collection shows beside its own. Null if none is wanted.
Result<std::unique_ptr<cdxserver::IndexFolder>> open_indexes(
    const ServeOptions& options, const std::vector<std::unique_ptr<replay::Collection>>& collections) {
  if (options.indexes.listen.empty() && options.indexes.folder.empty()) return nullptr;
  if (options.indexes.listen.empty() || options.indexes.folder.empty())
    return fail(ErrorCode::config,
                "--index-data and --index-listen go together: where the indexes are, and where lines come in");
  if (!options.launch.empty())
    return fail(ErrorCode::config, "--launch shows one launch alone: it cannot be used with --index-data");
  TRY_VOID(io::real_files().make_dirs(options.indexes.folder));
  auto folder = std::make_unique<cdxserver::IndexFolder>(io::real_files(), system_clock(), options.indexes.folder,
                                                         cdx::CaptureStoreOptions());
  for (const auto& collection : collections) {
    const auto served = folder->find_or_make(collection->name());
    if (!served) return pass(served.error(), "the index of " + collection->path());
    // They hold at the index's own access points; the pages go by the rules of the collection.
    if ((*served)->access->rules({}) != "[]")
      return fail(ErrorCode::config,
                  fmt::format("the index {} has access rules of its own, by which the pages of {} would not go: write "
                              "them into its access.yaml (caddis access import), and delete them there",
                              collection->name(), collection->path()));
    collection->index().add_source((*served)->store);
  }
  return folder;
}

std::vector<std::string> urls_of(const aio::Endpoint& local, const std::string& scheme) {
  // Captured pages are not shown under IPv6 addresses.
  if (local.address == "::1") return {fmt::format("{}://localhost:{}/", scheme, local.port)};
  return control::openable_urls(local, scheme);
}

// Where it lies; for an aggregate, its members.
std::string place_of(const replay::Collection& collection) {
  std::string names;
  for (const auto& member : collection.members()) names += (names.empty() ? "" : ", ") + member->name();
  return names.empty() ? collection.path() : names;
}

}  // namespace

struct ReplaySite::Parts {
  ServeOptions options;
  std::shared_ptr<replay::ServedRules> rules;
  std::unique_ptr<cdxserver::IndexFolder> indexes;  // null: none
  std::unique_ptr<replay::Wayback> wayback;
  std::unique_ptr<aio::Blocking> workers;
  std::unique_ptr<access::Gate> gate;
  std::unique_ptr<ServeDoor> door;
  std::unique_ptr<http::Server> server;
  std::unique_ptr<ServeProxy> proxy;
  std::unique_ptr<IndexSite> index_site;
  aio::Nursery nursery;  // looks for new files

  // Starts the servers beside the one of the pages.
  Result<void> start_others(aio::Loop& loop, aio::Network& network) {
    if (!options.proxy.listen.empty()) {
      TRY(proxy, ServeProxy::start(loop, network, *workers, *wayback, door->requests(), options.proxy, options.access));
    }
    if (indexes == nullptr) return {};
    IndexSiteOptions how;
    how.listen = options.indexes.listen;
    how.listen_option = "--index-listen";
    // It knows nothing of the rules by which captures are hidden.
    how.least = access::Role::manager;
    how.gate = gate.get();
    TRY(how.server.limits, answer_limits(options.limits));
    how.max_connections = options.max_connections;
    how.max_per_address = options.max_per_address;
    AccessOptions known = options.access;
    known.names = options.names.own;
    TRY(index_site, IndexSite::start({loop, network, *workers, *indexes, door->requests()}, std::move(how), known));
    return {};
  }
};

void add_base_path_option(CLI::App& command, replay::ServeNames& names) {
  command
      .add_option("--base-path", names.base,
                  "The path below which everything is, as behind a reverse proxy whose host has other things, too: "
                  "/wayback")
      ->option_text("PATH");
}

ReplaySite::ReplaySite(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
ReplaySite::~ReplaySite() = default;
aio::Endpoint ReplaySite::local() const { return parts_->server->local(); }

Result<std::unique_ptr<ReplaySite>> ReplaySite::start(aio::Loop& loop, aio::Network& network,
                                                      const ServeOptions& options) {
  auto parts = std::make_unique<Parts>();
  Parts& made = *parts;
  made.options = options;
  TRY(const aio::Endpoint at, control::parse_endpoint(options.listen));
  TRY(const Duration every, parse_duration(options.auto_index));
  TRY_VOID(check_listen(options.access, options.listen, !options.access.users.empty()));
  if (options.is_frameless && !options.access.users.empty())
    return fail(ErrorCode::config,
                "--frameless cannot be used with --users: captures are shown at addresses with a key then, which are "
                "none for windows");
  TRY(auto collections,
      replay::open_collections(io::real_files(), system_clock(), options.path, options.launch, options.sources));
  TRY(made.indexes, open_indexes(options, collections));
  TRY_VOID(replay::add_aggregates(collections, options.aggregates));
  TRY(auto wayback_settings, wayback_options(options));
  TRY(auto origins, origins_of(options, at, collections));
  made.options.names.base = origins.base();
  TRY(wayback_settings.rules,
      replay::ServedRules::open(io::real_files(), system_clock(), options.access_rules, collections));
  made.rules = wayback_settings.rules;
  const auto log_outs = std::make_shared<access::LogOuts>();
  if (!options.access.users.empty()) wayback_settings.standing = standing_by(options.access.users, log_outs);
  made.wayback = std::make_unique<replay::Wayback>(io::real_files(), std::move(collections), std::move(origins),
                                                   control::ask, std::move(wayback_settings));
  // More than there are processors: most of their time goes into waiting for a disk.
  made.workers = aio::make_blocking(std::max(8u, 2 * std::thread::hardware_concurrency()));
  if (!options.access.users.empty()) {
    AccessOptions known = options.access;
    known.names = options.names.own;
    known.base = made.options.names.base;
    known.log_outs = log_outs;
    TRY(made.gate, open_gate({loop, *made.workers, io::real_files()}, known, ""));
  }
  TRY(made.door, ServeDoor::open({*made.wayback, *made.rules, made.gate.get(), *made.workers, loop,
                                  made.options.names.base, options.names.own, options.instead},
                                 options.door));
  const http::Handler handler = [&made](const http::ServerRequest& request) { return made.door->answer(request); };
  http::ServerSettings settings;
  // Also what the server itself refuses is shown in frames of captured pages.
  settings.refusal = replay::confined_text;
  settings.workers = made.workers.get();
  settings.max_connections = options.max_connections;
  settings.max_per_address = options.max_per_address;
  settings.max_body = 256 * 1024;  // what pages post is not used
  TRY(auto listener, open_listener(loop, network, at, options.access, ""));
  made.server = http::Server::start_on(loop, std::move(listener), handler, settings);
  std::unique_ptr<ReplaySite> site(new ReplaySite(std::move(parts)));
  if (const auto started = made.start_others(loop, network); !started) {
    aio::run_to_end(loop, site->stop());
    return std::unexpected(started.error());
  }
  if (every > Duration::zero())
    made.nursery.spawn(index_new_files(loop, *made.workers, made.wayback->collections(), every));
  return site;
}

void ReplaySite::tell_addresses() const {
  const Parts& parts = *parts_;
  for (const auto& collection : parts.wayback->collections())
    for (const std::string& url : urls_of(parts.server->local(), parts.options.access.scheme()))
      tell(fmt::format("serving {} at {}{}/{}/\n", place_of(*collection), url.substr(0, url.size() - 1),
                       parts.options.names.base, collection->name()),
           stdout);
  if (parts.proxy)
    tell(fmt::format(
             "the past by proxy: set a browser's proxy for HTTP and HTTPS to {0}:{1}, and open http://{0}:{1}/\n",
             parts.proxy->local().address, parts.proxy->local().port),
         stdout);
  if (parts.index_site)
    for (const std::string& url : control::openable_urls(parts.index_site->local(), parts.options.access.scheme()))
      tell(fmt::format("taking index lines at {}\n", url), stdout);
  std::fflush(stdout);
}

aio::Task<void> ReplaySite::stop() {
  if (parts_->index_site) co_await parts_->index_site->stop();
  if (parts_->proxy) co_await parts_->proxy->stop();
  co_await parts_->server->stop();
  co_await parts_->nursery.join();
}

}  // namespace caddis::cli
