#include "index_site.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "caddis/access/origin.h"
#include "caddis/base/clock.h"
#include "caddis/control/endpoint.h"
#include "caddis/control/health.h"
#include "caddis/http/host_check.h"
#include "caddis/io/files.h"

namespace caddis::cli {
namespace {

// Without a log-in. A page that somebody has open in a browser here must not change an index, nor read it by a name of its
// own that leads here (DNS rebinding).
std::optional<http::ServerResponse> refuse_stranger(const http::ServerRequest& request,
                                                    const std::vector<std::string>& names) {
  const std::string_view host = request.header("Host");
  if (!http::is_own_host(host, names)) return http::text_response(421, http::other_host_message(host));
  const bool only_reads = request.method == "GET" || request.method == "HEAD" || request.method == "OPTIONS";
  if (!only_reads && access::is_of_other_page(request, names))
    return http::text_response(403, "requests of other origins are refused");
  return std::nullopt;
}

bool is_metrics(const http::ServerRequest& request) { return request.path == "/metrics"; }

}  // namespace

struct IndexSite::Parts {
  Parts(const IndexSiteWorld& world, cdxserver::IndexServerOptions options, std::vector<std::string> own_names)
      : index(world.folder, system_clock(), world.loop, world.workers, std::move(options)),
        door(world.door),
        names(std::move(own_names)) {}
  aio::Task<http::ServerResponse> answer(const http::ServerRequest& request);
  aio::Task<http::ServerResponse> answer_inside(const http::ServerRequest& request, std::string& user);
  aio::Task<http::ServerResponse> ask_index(const http::ServerRequest& request, std::string user);

  cdxserver::IndexServer index;
  RequestDoor& door;
  const std::vector<std::string> names;
  std::unique_ptr<access::Gate> own_gate;
  access::Gate* gate = nullptr;
  access::Role least = access::Role::viewer;
  std::unique_ptr<http::Server> server;
};

// A probe is neither limited nor logged.
aio::Task<http::ServerResponse> IndexSite::Parts::answer(const http::ServerRequest& request) {
  if (request.path == "/healthz") {
    auto refused = control::refuse_other_methods(request);
    co_return refused ? *std::move(refused) : control::healthy();
  }
  std::string user;
  const http::Handler inside = [&](const http::ServerRequest& asked) { return answer_inside(asked, user); };
  co_return co_await door.let_through(request, user, inside);
}

aio::Task<http::ServerResponse> IndexSite::Parts::answer_inside(const http::ServerRequest& request, std::string& user) {
  if (gate == nullptr) {
    if (auto refused = refuse_stranger(request, names)) co_return *std::move(refused);
    co_return co_await ask_index(request, "anonymous");
  }
  const access::Answer answers = [&](const http::ServerRequest& asked, const access::Identity& who) {
    user = who.name;
    return ask_index(asked, who.name);
  };
  const access::Role role = is_metrics(request) ? least : std::max(least, cdxserver::IndexServer::needed_role(request));
  co_return co_await gate->answer(request, role, answers);
}

aio::Task<http::ServerResponse> IndexSite::Parts::ask_index(const http::ServerRequest& request, std::string user) {
  if (is_metrics(request)) {
    if (auto refused = control::refuse_other_methods(request)) co_return *std::move(refused);
    co_return co_await index.answer_metrics(door.refused());
  }
  co_return co_await index.answer(request, std::move(user));
}

IndexSite::IndexSite(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
IndexSite::~IndexSite() = default;
aio::Endpoint IndexSite::local() const { return parts_->server->local(); }

Result<std::unique_ptr<IndexSite>> IndexSite::start(const IndexSiteWorld& world, IndexSiteOptions options,
                                                    const AccessOptions& access) {
  TRY(const aio::Endpoint at, control::parse_endpoint(options.listen));
  TRY_VOID(check_listen(access, options.listen, !access.users.empty(), {.option = options.listen_option}));
  auto parts = std::make_unique<Parts>(world, std::move(options.server), own_names(access));
  Parts& made = *parts;
  made.gate = options.gate;
  made.least = options.least;
  if (made.gate == nullptr && !access.users.empty()) {
    TRY(made.own_gate, open_gate({world.loop, world.workers, io::real_files()}, access, ""));
    made.gate = made.own_gate.get();
  }
  const http::Handler handler = [&made](const http::ServerRequest& request) { return made.answer(request); };
  http::ServerSettings settings;
  settings.workers = &world.workers;
  settings.max_connections = options.max_connections;
  settings.max_per_address = options.max_per_address;
  settings.max_body = 256 * 1024;
  settings.reads_body = cdxserver::IndexServer::reads_body;
  TRY(auto listener, open_listener(world.loop, world.network, at, access, ""));
  made.server = http::Server::start_on(world.loop, std::move(listener), handler, settings);
  return std::unique_ptr<IndexSite>(new IndexSite(std::move(parts)));
}

aio::Task<void> IndexSite::stop() {
  co_await parts_->server->stop();
  co_await parts_->index.stop();
}

}  // namespace caddis::cli
