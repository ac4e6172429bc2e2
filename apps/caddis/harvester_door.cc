#include "harvester_door.h"

#include <fmt/format.h>

#include <functional>
#include <utility>

#include "caddis/control/endpoint.h"
#include "caddis/control/health.h"
#include "caddis/control/router.h"
#include "caddis/engine/engine_metrics.h"
#include "tell.h"

namespace caddis::cli {

HarvesterDoor::HarvesterDoor(aio::Loop& loop, engine::Jobs& jobs)
    : loop_(loop), jobs_(jobs), network_(aio::make_network(loop)), workers_(aio::make_blocking(2)) {}

Result<std::unique_ptr<HarvesterDoor>> HarvesterDoor::open(aio::Loop& loop, const std::string& listen,
                                                           engine::Jobs& jobs) {
  std::unique_ptr<HarvesterDoor> door(new HarvesterDoor(loop, jobs));
  if (listen.empty()) return door;
  TRY(const aio::Endpoint at, control::parse_endpoint(listen));
  TRY(auto listener, door->network_->listen(at));
  for (const std::string& address : control::openable_urls(listener->local(), "http"))
    tell(fmt::format("metrics: {}metrics\n", address), stdout);
  door->server_ = http::Server::start_on(loop, std::move(listener), std::bind_front(&HarvesterDoor::answer, door.get()),
                                         http::ServerSettings());
  return door;
}

aio::Task<void> HarvesterDoor::close() {
  if (server_ != nullptr) co_await server_->stop();
}

aio::Task<http::ServerResponse> HarvesterDoor::answer(const http::ServerRequest& request) {
  if (auto refused = control::refuse_other_methods(request)) co_return *std::move(refused);
  if (request.path == "/healthz") co_return control::healthy();
  if (request.path != "/metrics") co_return control::error_response(404, "there are /metrics and /healthz");
  co_return co_await engine::tell_engine_metrics(loop_, *workers_, jobs_);
}

}  // namespace caddis::cli
