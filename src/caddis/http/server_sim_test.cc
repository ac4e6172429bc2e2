// The server in the simulated world: it serves as ever, and may end at any moment.
#include <gtest/gtest.h>

#include <string>

#include "caddis/aio/sim.h"
#include "caddis/base/check.h"
#include "caddis/http/server.h"

namespace caddis::http {
namespace {

using namespace std::chrono_literals;
using aio::Task;

struct SmallWorld {
  explicit SmallWorld(uint64_t seed) : loop(seed), network(loop, faulty()) {
    const aio::Endpoint at("192.0.2.1", 80);
    auto started = Server::start(
        loop, network, at, [this](const ServerRequest& request) { return answer(request); }, ServerSettings());
    CADDIS_CHECK(started.has_value());
    server = *std::move(started);
    for (int i = 0; i < 4; ++i) nursery.spawn(client());
  }

  static aio::SimNetworkSettings faulty() {
    aio::SimNetworkSettings settings;
    settings.reset = settings.refused = 100;
    settings.fault_within = 2000;
    return settings;
  }

  Task<ServerResponse> answer(const ServerRequest& request) {
    co_await aio::sleep_for(loop, 1ms);
    ServerResponse response = text_response(200, request.target);
    if (request.query == "stream") {
      response.stream = [this](BodySink& sink) -> Task<Result<void>> {
        for (int i = 0; i < 3; ++i) {
          CO_TRY_VOID(co_await sink.write("piece"));
          co_await aio::sleep_for(loop, 1ms);
        }
        co_return Result<void>();
      };
    }
    co_return response;
  }

  Task<void> client() {
    for (int round = 0; round < 3; ++round) {
      const aio::Endpoint at("192.0.2.1", 80);
      auto stream = co_await network.connect(at, nullptr, loop.clock().steady() + 30s);
      if (!stream) continue;
      const auto sent = co_await (*stream)->write(
          "GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b?stream HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      if (!sent) continue;
      std::string buffer(1000, '\0'), received;
      for (;;) {
        const auto count = co_await (*stream)->read(buffer.data(), buffer.size());
        if (!count || *count == 0) break;
        received.append(buffer, 0, *count);
      }
      whole += received.contains("\r\n\r\n/a\n") && received.ends_with("5\r\npiece\r\n5\r\npiece\r\n0\r\n\r\n");
    }
  }

  aio::SimLoop loop;
  aio::SimNetwork network;
  std::unique_ptr<Server> server;
  aio::Nursery nursery;
  int whole = 0;
};

TEST(ServerInTheSimulatedWorld, ServesAndMayEndAtAnyMoment) {
  size_t events = 0;
  {
    SmallWorld world(3);
    world.loop.run();
    EXPECT_EQ(world.nursery.running(), 0u);
    EXPECT_GT(world.whole, 3);
    events = world.loop.events();
    run_to_end(world.loop, world.server->stop());
  }
  ASSERT_GT(events, 100u);
  for (size_t crash_at = 0; crash_at < events; crash_at += 1 + events / 300) {
    SmallWorld world(3);
    world.loop.run_events(crash_at);
    world.loop.abandon();
  }
}

}  // namespace
}  // namespace caddis::http
