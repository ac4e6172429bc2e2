#include "caddis/selftest/site_server.h"

#include <fmt/format.h>

#include <utility>

#include "caddis/aio/loop_thread.h"
#include "caddis/aio/network.h"
#include "caddis/aio/nursery.h"
#include "caddis/http/server.h"

namespace caddis::selftest {

struct SiteServer::Parts {
  aio::LoopThread thread{system_clock()};
  std::unique_ptr<aio::Network> network = aio::make_network(thread.loop());
  std::unique_ptr<http::Server> server;
};

namespace {

aio::Task<void> stop_server(http::Server& server) { co_await server.stop(); }

}  // namespace

SiteServer::SiteServer() : parts_(std::make_unique<Parts>()) {}

SiteServer::~SiteServer() { stop(); }

Result<std::unique_ptr<SiteServer>> SiteServer::start(Site& site) {
  std::unique_ptr<SiteServer> one(new SiteServer());
  const http::Handler handler = [&site](const http::ServerRequest& request) { return site.answer(request); };
  const aio::Endpoint anywhere{"127.0.0.1", 0};
  // The loop does not run yet, so this thread may use what is the loop's.
  TRY(one->parts_->server, http::Server::start(one->parts_->thread.loop(), *one->parts_->network, anywhere, handler,
                                               http::ServerSettings()));
  one->origin_ = fmt::format("http://127.0.0.1:{}", one->parts_->server->local().port);
  one->parts_->thread.start();
  return one;
}

void SiteServer::stop() {
  if (!parts_) return;
  parts_->thread.stop();
  // The loop stands still, so this thread runs it to the end of the server.
  if (parts_->server) aio::run_to_end(parts_->thread.loop(), stop_server(*parts_->server));
  parts_.reset();
}

}  // namespace caddis::selftest
