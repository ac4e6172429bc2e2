#include "caddis/control/control_server.h"

#include "caddis/access/answers.h"
#include "caddis/access/secret.h"
#include "caddis/aio/own_endpoints.h"
#include "caddis/base/log.h"
#include "caddis/control/console.h"
#include "caddis/control/endpoint.h"
#include "caddis/control/router.h"
#include "caddis/control/routes.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/operator.h"
#include "caddis/io/files.h"
#include "caddis/webui/pages.h"

namespace caddis::control {

Result<std::unique_ptr<ControlServer>> ControlServer::start(aio::Loop& loop, crawl::Operator& crawl,
                                                            const ControlListening& listening) {
  std::unique_ptr<ControlServer> control(new ControlServer(loop, crawl));
  http::ServerSettings settings;
  settings.refusal = [](int status, std::string_view message) {
    return access::guarded(error_response(status, message));
  };
  // First what can fail: a server that runs would have to be stopped.
  (void)io::real_files().remove(crawl.state().launch.control_token());  // of a process that died
  if (!listening.at.empty()) TRY_VOID(control->listen_at(loop, listening, settings));
  const http::Handler handler = [&crawl](const http::ServerRequest& request) -> aio::Task<http::ServerResponse> {
    std::string actor = actor_of(request);
    http::ServerResponse response = co_await respond(crawl, request, std::move(actor));
    co_return access::guarded(std::move(response));
  };
  // A path too long for a socket is no reason not to crawl; the crawl can then be asked over --listen only.
  auto on_socket =
      http::Server::start_unix(loop, *control->network_, crawl.state().launch.control_socket(), handler, settings);
  if (on_socket)
    control->servers_.push_back(*std::move(on_socket));
  else
    log_warn("control", "this crawl has no control socket ({}); --listen makes it reachable over TCP",
             on_socket.error().message);
  crawl.scripts().run_files_by([&crawl](std::string name, std::string text) {
    return run_script_file(crawl, std::move(name), std::move(text));
  });
  return control;
}

Result<void> ControlServer::listen_at(aio::Loop& loop, const ControlListening& listening,
                                      const http::ServerSettings& settings) {
  TRY(const aio::Endpoint at, parse_endpoint(listening.at));
  const std::string token = access::new_secret();
  access_.emplace(token, std::vector<std::string>{crawl_.hostname()});
  if (listening.gate) {
    TRY(gate_, listening.gate(loop, token));
  }
  const http::Handler handler = [this](const http::ServerRequest& request) { return answer(request); };
  auto listener = listening.listen ? listening.listen(loop, *network_, at) : network_->listen(at);
  if (!listener) return std::unexpected(std::move(listener).error());
  auto server = http::Server::start_on(loop, *std::move(listener), handler, settings);
  for (const std::string& page : openable_urls(server->local(), listening.scheme))
    addresses_.push_back(page + "?token=" + token);
  endpoints_ = aio::own_endpoints(server->local());
  servers_.push_back(std::move(server));
  const std::string file = crawl_.state().launch.control_token();
  if (const auto kept = io::real_files().write_atomically_private(file, token + "\n"); !kept)
    log_warn("control", "the token of the page could not be kept in a file: {}", kept.error().message);
  return {};
}

aio::Task<http::ServerResponse> ControlServer::answer(const http::ServerRequest& request) {
  // The page's script and style hold nothing of the crawl, and a browser asks for them without the token.
  if (auto asset = webui::asset(request)) co_return access::guarded(*std::move(asset));
  if (gate_) {
    const access::Answer answers = [this](const http::ServerRequest& asked, const access::Identity& who) {
      return respond(crawl_, asked, who.name);
    };
    co_return access::guarded(co_await gate_->answer(request, needed_role(request.method, request.path), answers));
  }
  if (auto refused = access_->refuse(request)) co_return access::guarded(*std::move(refused));
  co_return access::guarded(co_await respond(crawl_, request));
}

aio::Task<void> ControlServer::stop() {
  for (const auto& server : servers_) co_await server->stop();
  if (access_) (void)io::real_files().remove(crawl_.state().launch.control_token());
}

}  // namespace caddis::control
