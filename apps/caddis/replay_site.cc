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
#include "caddis/base/time_format.h"
#include "caddis/control/endpoint.h"
#include "caddis/http/host_check.h"
#include "caddis/io/files.h"
#include "caddis/replay/collection_paths.h"
#include "caddis/replay/headers.h"
#include "caddis/replay/wayback.h"
#include "collection_watch.h"
#include "index_site.h"
#include "served_archive.h"
#include "tell.h"
#include "web_preview.h"

namespace caddis::cli {
namespace {

// Captured pages show no log-in: their keys are worth what that of their user is by the file of users.
// They end with a log-out of the user.
replay::Standing standing_by(const AccessOptions& options, std::shared_ptr<const access::LogOuts> log_outs) {
  return [users = std::make_shared<access::UserStore>(io::real_files(), options.users), log_outs = std::move(log_outs),
          trusts = options.trusts_loopback](const viewing::Viewer& viewer) {
    if (trusts && viewer.user == access::kLoopbackUser) return std::string(access::kLoopbackUser);
    return access::standing_of(*users, *log_outs, viewer.user,
                               access::role_of(viewer.role).value_or(access::Role::none));
  };
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
  std::string base;  // the path below which it stands
  std::unique_ptr<ArchiveOpener> opener;
  CurrentArchive current;
  std::unique_ptr<aio::Blocking> workers;
  std::unique_ptr<access::Gate> gate;
  std::unique_ptr<WebPreview> preview;  // null: there is none
  std::unique_ptr<ServeDoor> door;
  std::unique_ptr<http::Server> server;
  std::unique_ptr<ServeProxy> proxy;
  std::unique_ptr<IndexSite> index_site;
  std::unique_ptr<CollectionWatch> watch;  // null: the collections are always the same
  aio::Nursery nursery;                    // looks for new files and collections

  // Starts the servers beside the one of the pages.
  Result<void> start_others(aio::Loop& loop, aio::Network& network) {
    if (!options.proxy.listen.empty()) {
      TRY(proxy, ServeProxy::start(loop, network, *workers, current, door->requests(), options.proxy, options.access));
    }
    if (opener->indexes() == nullptr) return {};
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
    TRY(index_site,
        IndexSite::start({loop, network, *workers, *opener->indexes(), door->requests()}, std::move(how), known));
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

std::vector<aio::Endpoint> ReplaySite::listeners() const {
  std::vector<aio::Endpoint> all(1, parts_->server->local());
  if (parts_->proxy) all.push_back(parts_->proxy->local());
  if (parts_->index_site) all.push_back(parts_->index_site->local());
  return all;
}

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
  const auto log_outs = options.gate != nullptr ? options.access.log_outs : std::make_shared<access::LogOuts>();
  replay::Standing standing;
  if (!options.access.users.empty()) standing = standing_by(options.access, log_outs);
  made.opener = std::make_unique<ArchiveOpener>(made.options, at, std::move(standing));
  TRY(const auto paths, replay::collection_paths(io::real_files(), options.path));
  const auto shown = replay::collection_identities(io::real_files(), paths);
  TRY(auto archive, made.opener->open(shown));
  made.base = archive->base;
  made.current.set(std::move(archive));
  // More than there are processors: most of their time goes into waiting for a disk.
  made.workers = aio::make_blocking(std::max(8u, 2 * std::thread::hardware_concurrency()));
  if (!options.access.users.empty() && options.gate == nullptr) {
    AccessOptions known = options.access;
    known.names = options.names.own;
    known.base = made.base;
    known.log_outs = log_outs;
    TRY(made.gate, open_gate({loop, *made.workers, io::real_files()}, known, ""));
  }
  access::Gate* const gate = options.gate != nullptr ? options.gate : made.gate.get();
  auto instead = options.live.instead;
  if (options.live.preview) {
    TRY(auto live, made.opener->open_live(*made.current.get()));
    made.preview = std::make_unique<WebPreview>(loop, std::move(live), options.live.preview);
    instead = [preview = made.preview.get()](const http::ServerRequest& request, const ArchiveDoor& door) {
      return preview->answer(request, door);
    };
  }
  TRY(made.door, ServeDoor::open({made.current, gate, *made.workers, loop, made.base, options.names.own,
                                  options.access.proxies, std::move(instead)},
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
  if (every > Duration::zero()) made.nursery.spawn(index_new_files(loop, *made.workers, made.current, every));
  if (options.launch.empty() && is_folder_of_collections(io::real_files(), options.path)) {
    made.watch = std::make_unique<CollectionWatch>(io::real_files(), system_clock(), options.path, *made.opener,
                                                   made.current, shown);
    made.nursery.spawn(watch_collections(loop, *made.workers, *made.watch));
  }
  return site;
}

Result<void> ReplaySite::show_at_once(const std::string& name) {
  return parts_->watch != nullptr ? parts_->watch->show_at_once(name) : Result<void>();
}

void ReplaySite::tell_addresses() const {
  const Parts& parts = *parts_;
  const auto archive = parts.current.get();
  for (const auto& collection : archive->wayback->collections())
    for (const std::string& url : urls_of(parts.server->local(), parts.options.access.scheme()))
      tell(fmt::format("serving {} at {}{}/{}/\n", place_of(*collection), url.substr(0, url.size() - 1), parts.base,
                       collection->name()),
           stdout);
  if (parts.preview)
    for (const std::string& url : urls_of(parts.server->local(), parts.options.access.scheme()))
      tell(fmt::format("the live web at {}{}/live/URL\n", url.substr(0, url.size() - 1), parts.base), stdout);
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
