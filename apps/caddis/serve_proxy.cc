#include "serve_proxy.h"

#include <utility>

#include "caddis/control/endpoint.h"
#include "caddis/http/proxy_listener.h"
#include "caddis/replay/proxy_replay.h"
#include "proxy_identities.h"

namespace caddis::cli {
namespace {

aio::Task<http::ServerResponse> answer(replay::ProxyReplay& replay, const CurrentArchive& current,
                                       aio::Blocking& workers, aio::Loop& loop, const http::ServerRequest& request) {
  http::ServerResponse response;
  const auto archive = current.get();
  std::function<void()> work = [&] { response = keep_archive(replay.handle(*archive->wayback, request), archive); };
  co_await workers.run(loop, std::move(work));
  co_return response;
}

}  // namespace

struct ServeProxy::Parts {
  explicit Parts(std::unique_ptr<ProxyIdentities> loaded)
      : identities(std::move(loaded)),
        replay({identities->authority().certificate_pem(), identities->authority().certificate_der(),
                identities->authority().fingerprint()}) {}
  std::unique_ptr<ProxyIdentities> identities;
  replay::ProxyReplay replay;
  http::Handler replays;
  const std::string nobody;  // no user: a proxy asks for none
  std::unique_ptr<http::Server> server;
};

ServeProxy::ServeProxy(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
ServeProxy::~ServeProxy() = default;
aio::Endpoint ServeProxy::local() const { return parts_->server->local(); }
aio::Task<void> ServeProxy::stop() { co_await parts_->server->stop(); }

Result<std::unique_ptr<ServeProxy>> ServeProxy::start(aio::Loop& loop, aio::Network& network, aio::Blocking& workers,
                                                      const CurrentArchive& archive, RequestDoor& door,
                                                      const ProxyOptions& options, const AccessOptions& access) {
  if (!access.users.empty())
    return fail(ErrorCode::config, "--proxy shows the archive to whoever reaches it: it cannot be used with --users");
  TRY(const aio::Endpoint at, control::parse_endpoint(options.listen));
  TRY_VOID(check_listen(access, options.listen, false, {.option = "--proxy"}));
  TRY(auto identities, ProxyIdentities::load(options.folder));
  auto parts = std::make_unique<Parts>(std::move(identities));
  TRY(auto listener, network.listen(at));
  Parts* const raw = parts.get();
  listener = http::make_proxy_listener(loop, std::move(listener),
                                       [raw](const std::string& host) { return raw->identities->of(host); });
  http::ServerSettings settings;
  settings.workers = &workers;
  settings.max_body = 256 * 1024;  // as much as keys are made of, and more
  parts->replays = [raw, &archive, &workers, &loop](const http::ServerRequest& request) {
    return answer(raw->replay, archive, workers, loop, request);
  };
  const http::Handler handler = [raw, &door](const http::ServerRequest& request) {
    return door.let_through(request, raw->nobody, raw->replays);
  };
  parts->server = http::Server::start_on(loop, std::move(listener), handler, settings);
  return std::unique_ptr<ServeProxy>(new ServeProxy(std::move(parts)));
}

}  // namespace caddis::cli
