#include "caddis/engine/engine_server.h"

#include <utility>

#include "caddis/access/answers.h"
#include "caddis/access/gate.h"
#include "caddis/control/health.h"
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

Mount only_read_by(access::Role role, std::string prefix, MountHandler answer) {
  MountHandler reads = [answer = std::move(answer)](
                           const http::ServerRequest& request,
                           const access::Identity& identity) -> aio::Task<http::ServerResponse> {
    if (auto refused = control::refuse_other_methods(request)) co_return *std::move(refused);
    auto response = co_await answer(request, identity);
    co_return response;
  };
  return {std::move(prefix), std::move(reads), [role](const http::ServerRequest&) { return role; }};
}

}  // namespace

const Mount* find_mount(const std::vector<Mount>& mounts, std::string_view path) {
  const Mount* found = nullptr;
  for (const Mount& mount : mounts)
    if (is_below(path, mount.prefix) && (found == nullptr || mount.prefix.size() > found->prefix.size()))
      found = &mount;
  return found;
}

EngineServer::EngineServer(aio::Loop& loop, const EngineServerOptions& options, std::vector<Mount> mounts,
                           access::Gate* gate)
    : loop_(loop),
      settings_(settings_of(options)),
      mounts_(std::move(mounts)),
      gate_(gate),
      network_(aio::make_network(loop)) {}

Result<std::unique_ptr<EngineServer>> EngineServer::start(aio::Loop& loop, const EngineServerOptions& options,
                                                          std::vector<Mount> mounts, access::Gate* gate) {
  std::unique_ptr<EngineServer> engine(new EngineServer(loop, options, std::move(mounts), gate));
  if (options.socket.empty()) return engine;
  const http::Handler handler = [server = engine.get()](const http::ServerRequest& request) {
    return server->respond(request, true);
  };
  TRY(auto on_socket, http::Server::start_unix(loop, *engine->network_, options.socket, handler, engine->settings_));
  engine->servers_.push_back(std::move(on_socket));
  return engine;
}

http::ServerSettings EngineServer::settings_of(const EngineServerOptions& options) {
  http::ServerSettings settings;
  settings.refusal = [](int status, std::string_view message) {
    return access::guarded(control::error_response(status, message));
  };
  settings.max_body = 64 << 20;  // configurations
  settings.workers = options.workers;
  return settings;
}

void EngineServer::listen_on(std::unique_ptr<aio::Listener> listener) {
  const http::Handler handler = [this](const http::ServerRequest& request) { return respond(request, false); };
  servers_.push_back(http::Server::start_on(loop_, std::move(listener), handler, settings_));
}

aio::Task<http::ServerResponse> EngineServer::respond(const http::ServerRequest& request, bool is_owner) {
  const Mount* const mount = find_mount(mounts_, request.path);
  const access::Answer answer = [mount](const http::ServerRequest& asked, const access::Identity& identity) {
    return answer_of(mount, asked, identity);
  };
  const access::Role needed = mount == nullptr ? access::Role::viewer : role_for(*mount, request);
  http::ServerResponse response;
  if (is_owner) {
    const access::Identity owner{"owner", access::Role::admin};
    response = co_await answer(request, owner);
  } else if (needed != access::Role::none) {
    response = co_await gate_->answer(request, needed, answer);
  } else if (auto own = co_await gate_->answer_own(request)) {
    response = *std::move(own);
  } else {
    const access::Identity stranger;
    response = co_await answer(request, stranger);
  }
  co_return access::guarded(std::move(response));
}

aio::Task<http::ServerResponse> EngineServer::answer_of(const Mount* mount, const http::ServerRequest& request,
                                                        const access::Identity& identity) {
  if (mount == nullptr) co_return control::error_response(404, "there is nothing here");
  auto response = co_await mount->answer(request, identity);
  co_return response;
}

Mount read_only(std::string prefix, MountHandler answer) {
  return only_read_by(access::Role::viewer, std::move(prefix), std::move(answer));
}

Mount open_read_only(std::string prefix, MountHandler answer) {
  return only_read_by(access::Role::none, std::move(prefix), std::move(answer));
}

aio::Task<void> EngineServer::stop() {
  for (const auto& server : servers_) co_await server->stop();
}

}  // namespace caddis::engine
