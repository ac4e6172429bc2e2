#include "caddis/engine/engine_server.h"

#include <utility>

#include "caddis/access/gate.h"
#include "caddis/control/endpoint.h"
#include "caddis/control/router.h"

namespace caddis::engine {
namespace {

bool is_below(std::string_view path, std::string_view prefix) {
  if (prefix == "/") return true;
  return path.starts_with(prefix) && (path.size() == prefix.size() || path[prefix.size()] == '/');
}

access::Role role_for(const Mount& mount, const http::ServerRequest& request) {
  if (mount.needs) return mount.needs(request);
  const bool only_reads = request.method == "GET" || request.method == "HEAD";
  return only_reads ? access::Role::viewer : access::Role::manager;
}

bool is_loopback(std::string_view address) {
  return address.starts_with("127.") || address == "::1" || address.starts_with("::ffff:127.");
}

}  // namespace

const Mount* find_mount(const std::vector<Mount>& mounts, std::string_view path) {
  const Mount* found = nullptr;
  for (const Mount& mount : mounts)
    if (is_below(path, mount.prefix) && (found == nullptr || mount.prefix.size() > found->prefix.size()))
      found = &mount;
  return found;
}

EngineServer::EngineServer(aio::Loop& loop, std::vector<Mount> mounts, access::Gate* gate)
    : mounts_(std::move(mounts)), gate_(gate), network_(aio::make_network(loop)) {}

Result<std::unique_ptr<EngineServer>> EngineServer::start(aio::Loop& loop, const EngineServerOptions& options,
                                                          std::vector<Mount> mounts, access::Gate* gate) {
  std::unique_ptr<EngineServer> engine(new EngineServer(loop, std::move(mounts), gate));
  for (const std::string& listen : options.listen) TRY_VOID(engine->listen_at(loop, options, listen));
  if (options.socket.empty()) return engine;
  const http::Handler handler = [server = engine.get()](const http::ServerRequest& request) {
    return server->respond(request, true);
  };
  TRY(auto on_socket,
      http::Server::start_unix(loop, *engine->network_, options.socket, handler, engine->settings_of(options)));
  engine->servers_.push_back(std::move(on_socket));
  return engine;
}

http::ServerSettings EngineServer::settings_of(const EngineServerOptions& options) {
  http::ServerSettings settings;
  settings.refusal = [](int status, std::string_view message) { return control::error_response(status, message); };
  settings.max_body = 64 << 20;  // configurations
  settings.workers = options.workers;
  return settings;
}

Result<void> EngineServer::listen_at(aio::Loop& loop, const EngineServerOptions& options, const std::string& listen) {
  TRY(const aio::Endpoint at, control::parse_endpoint(listen));
  const bool has_tls = !options.certificate.empty();
  TRY(auto listener, has_tls ? network_->listen_tls(at, options.certificate, options.key) : network_->listen(at));
  const http::Handler handler = [this](const http::ServerRequest& request) { return respond(request, false); };
  servers_.push_back(http::Server::start_on(loop, std::move(listener), handler, settings_of(options)));
  for (std::string url : control::openable_urls(servers_.back()->local())) {
    if (has_tls) url.insert(url.find(':'), "s");
    addresses_.push_back(std::move(url));
  }
  return {};
}

aio::Task<http::ServerResponse> EngineServer::respond(const http::ServerRequest& request, bool is_owner) {
  const Mount* const mount = find_mount(mounts_, request.path);
  const access::Identity owner{is_owner ? "owner" : "loopback", access::Role::admin};
  const access::Answer answer = [mount](const http::ServerRequest& asked, const access::Identity& identity) {
    return answer_of(mount, asked, identity);
  };
  const access::Role needed = mount == nullptr ? access::Role::viewer : role_for(*mount, request);
  http::ServerResponse response;
  if (is_owner || (mount != nullptr && needed == access::Role::none)) {
    response = co_await answer(request, owner);
  } else if (gate_ != nullptr) {
    response = co_await gate_->answer(request, needed, answer);
  } else if (is_loopback(request.remote.address)) {
    response = co_await answer(request, owner);
  } else {
    response = control::error_response(403, "this engine answers on its own machine alone");
  }
  co_return response;
}

aio::Task<http::ServerResponse> EngineServer::answer_of(const Mount* mount, const http::ServerRequest& request,
                                                        const access::Identity& identity) {
  if (mount == nullptr) co_return control::error_response(404, "there is nothing here");
  auto response = co_await mount->answer(request, identity);
  co_return response;
}

aio::Task<void> EngineServer::stop() {
  for (const auto& server : servers_) co_await server->stop();
}

}  // namespace caddis::engine
