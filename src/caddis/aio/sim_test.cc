#include "caddis/aio/sim.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "caddis/aio/event.h"
#include "caddis/base/check.h"

namespace caddis::aio {
namespace {

using namespace std::chrono_literals;

TEST(SimLoop, TimeJumpsAndRunEndsWhenNothingIsLeft) {
  SimLoop loop(1);
  const SteadyTime start = loop.clock().steady();
  const WallTime wall = loop.clock().wall();
  std::string order;
  loop.at(start + 2h, [&] { order += 'b'; });
  loop.at(start + 1h, [&] {
    order += 'a';
    loop.at(start, [&] { order += '.'; });  // the past is now
  });
  const auto cancelled = loop.at(start + 3h, [&] { order += 'x'; });
  loop.cancel(cancelled);
  loop.run();
  EXPECT_EQ(order, "a.b");
  EXPECT_EQ(loop.clock().steady() - start, 2h);
  EXPECT_EQ(loop.clock().wall() - wall, 2h);
  EXPECT_EQ(loop.events(), 3u);
}

std::string order_of(uint64_t seed) {
  SimLoop loop(seed);
  std::string order;
  for (char name = 'a'; name <= 'j'; ++name) loop.post([&order, name] { order += name; });
  loop.run();
  return order;
}

TEST(SimLoop, TheSeedDecidesTheOrderOfAMoment) {
  EXPECT_EQ(order_of(1), order_of(1));
  EXPECT_NE(order_of(1), order_of(2));
  EXPECT_EQ(order_of(1).size(), 10u);
}

TEST(SimLoop, StopsAndRunsByPieces) {
  SimLoop loop(1);
  int count = 0;
  for (int i = 0; i < 10; ++i) loop.post([&] { ++count; });
  EXPECT_EQ(loop.run_events(4), 4u);
  EXPECT_EQ(count, 4);
  loop.post([&] { loop.stop(); });
  loop.run();
  loop.run();
  EXPECT_EQ(count, 10);
}

// Sends back what it gets; some of it after a while.
Task<void> echo(Loop& loop, std::unique_ptr<Stream> stream) {
  std::string buffer(4096, '\0');
  for (;;) {
    const auto count = co_await stream->read(buffer.data(), buffer.size());
    if (!count || *count == 0) co_return;
    if (*count % 3 == 0) co_await sleep_for(loop, 10ms);
    const auto sent = co_await stream->write(std::string_view(buffer).substr(0, *count));
    if (!sent) co_return;
  }
}

struct Outcome {
  std::string received;
  std::string errors;
};

Task<void> send_all(Stream& stream, std::string bytes) {
  const auto sent = co_await stream.write(bytes);
  if (!sent) co_return;
}

Task<void> client(SimLoop& loop, Network& network, Endpoint to, size_t size, Outcome& outcome) {
  const SteadyTime deadline = loop.clock().steady() + 30s;
  auto stream = co_await network.connect(to, nullptr, deadline);
  if (!stream) {
    outcome.errors += to_string(stream.error().code);
    co_return;
  }
  Nursery nursery;
  nursery.spawn(send_all(**stream, std::string(size, 'x')));
  std::string buffer(4096, '\0');
  size_t left = size;
  while (left > 0) {
    const auto count = co_await (*stream)->read(buffer.data(), buffer.size());
    if (!count) outcome.errors += to_string(count.error().code);
    if (!count || *count == 0) break;
    outcome.received.append(buffer, 0, *count);
    left -= *count;
  }
  (*stream)->close();
  co_await nursery.join();
}

const Endpoint server_address("192.0.2.1", 80);

SimServer echo_server(SimLoop& loop) {
  return [&loop](std::unique_ptr<Stream> stream) { return echo(loop, std::move(stream)); };
}

TEST(SimNetwork, EchoesThroughBoundedPipes) {
  SimLoop loop(7);
  SimNetworkSettings settings;
  settings.buffer = 1000;
  SimNetwork network(loop, settings);
  network.serve(server_address, echo_server(loop));
  Outcome outcome;
  run_to_end(loop, client(loop, network, server_address, 50'000, outcome));
  EXPECT_EQ(outcome.received, std::string(50'000, 'x'));
  EXPECT_EQ(outcome.errors, "");
}

TEST(SimNetwork, NobodyThereIsRefusedAndOthersCanBeFound) {
  SimLoop loop(7);
  SimNetwork network(loop, SimNetworkSettings());
  Outcome outcome;
  run_to_end(loop, client(loop, network, server_address, 10, outcome));
  EXPECT_EQ(outcome.errors, "io");
  network.serve_rest([&](const Endpoint& at) { return at.port == 80 ? echo_server(loop) : SimServer(); });
  run_to_end(loop, client(loop, network, server_address, 10, outcome));
  EXPECT_EQ(outcome.received.size(), 10u);
  const Endpoint closed_port("192.0.2.1", 81);
  run_to_end(loop, client(loop, network, closed_port, 10, outcome));
  EXPECT_EQ(outcome.errors, "ioio");
}

TEST(SimNetwork, ConnectionsThatHangOrStallTimeOut) {
  for (const bool hang : {true, false}) {
    SimLoop loop(7);
    SimNetworkSettings settings;
    (hang ? settings.hanging : settings.stalled) = 1000;
    settings.fault_within = 1000;
    SimNetwork network(loop, settings);
    network.serve(server_address, echo_server(loop));
    const SteadyTime start = loop.clock().steady();
    Outcome outcome;
    run_to_end(loop, client(loop, network, server_address, 10'000, outcome));
    EXPECT_EQ(outcome.errors, "timeout");
    EXPECT_EQ(loop.clock().steady() - start, 30s);
  }
}

TEST(SimNetwork, ConnectionsBreakOffAndAreRefusedByChance) {
  SimLoop loop(7);
  SimNetworkSettings settings;
  settings.reset = settings.refused = 500;
  settings.fault_within = 1000;
  SimNetwork network(loop, settings);
  network.serve(server_address, echo_server(loop));
  int fine = 0, refused = 0, broken = 0;
  for (int i = 0; i < 200; ++i) {
    Outcome outcome;
    run_to_end(loop, client(loop, network, server_address, 1000, outcome));
    fine += outcome.errors.empty() && outcome.received.size() == 1000;
    refused += outcome.errors == "io";
    broken += outcome.errors == "closed";
  }
  EXPECT_EQ(fine + refused + broken, 200);
  EXPECT_GT(fine, 20);
  EXPECT_GT(refused, 50);
  EXPECT_GT(broken, 20);
}

Task<void> serve_some(Listener& listener, SimLoop& loop, int connections) {
  for (int i = 0; i < connections; ++i) {
    auto stream = co_await listener.accept();
    CADDIS_CHECK(stream.has_value());
    co_await echo(loop, *std::move(stream));
  }
}

TEST(SimNetwork, ListenersAcceptAlsoAtPathsAndWithTls) {
  SimLoop loop(7);
  SimNetwork network(loop, SimNetworkSettings());
  const Endpoint any_port("192.0.2.9", 0);
  auto listener = network.listen_tls(any_port, "", "");
  auto at_path = network.listen_unix("/run/x.sock");
  ASSERT_TRUE(listener.has_value() && at_path.has_value());
  EXPECT_FALSE(network.listen_unix("/run/x.sock").has_value());
  const auto body = [&]() -> Task<void> {
    Nursery nursery;
    nursery.spawn(serve_some(**listener, loop, 2));
    nursery.spawn(serve_some(**at_path, loop, 1));
    Outcome outcome;
    const Endpoint local = (*listener)->local();
    EXPECT_NE(local.port, 0);
    co_await client(loop, network, local, 100, outcome);
    EXPECT_EQ(outcome.received.size(), 100u);
    {
      const TlsOptions options;
      auto stream = co_await network.connect(local, &options, SteadyTime::max());
      EXPECT_EQ((*stream)->tls()->protocol, "tls/1.3");
      auto other = co_await network.connect_unix("/run/x.sock", SteadyTime::max());
      EXPECT_TRUE(other.has_value());
    }
    co_await nursery.join();
  };
  run_to_end(loop, body());
}

// A small world: servers, clients that come again and again, blocking work, an owner with a nursery of its own.
struct SmallWorld {
  explicit SmallWorld(uint64_t seed) : loop(seed), network(loop, faulty()), blocking(make_sim_blocking(loop, 3ms)) {
    network.serve(server_address, echo_server(loop));
    for (int i = 0; i < 5; ++i) nursery.spawn(visitor(i));
  }

  static SimNetworkSettings faulty() {
    SimNetworkSettings settings;
    settings.reset = settings.stalled = settings.hanging = settings.refused = 50;
    settings.fault_within = 3000;
    return settings;
  }

  Task<void> visitor(int number) {
    const auto own = std::make_unique<std::string>("visitor " + std::to_string(number));  // to be leaked, if it can be
    for (int round = 0; round < 4; ++round) {
      Outcome outcome;
      co_await client(loop, network, server_address, 500 + 100 * static_cast<size_t>(number), outcome);
      const std::function<void()> note = [&] {
        log += *own + " " + std::to_string(outcome.received.size()) + outcome.errors + "\n";
      };
      co_await blocking->run(loop, note);
      changed.notify();
      if (round % 2 == 1) co_await changed.wait();
    }
    changed.notify();
  }

  std::string log;
  SimLoop loop;
  SimNetwork network;
  std::unique_ptr<Blocking> blocking;
  Event changed{loop};
  Nursery nursery;
};

TEST(SimWorld, TheSameSeedGivesTheSameRun) {
  std::vector<std::string> logs;
  for (const uint64_t seed : {1, 1, 2}) {
    SmallWorld world(seed);
    world.loop.run();
    logs.push_back(world.log + std::to_string(world.loop.events()));
    world.loop.abandon();
  }
  EXPECT_EQ(logs[0], logs[1]);
  EXPECT_NE(logs[0], logs[2]);
}

// What AddressSanitizer makes of it counts: nothing used after its end, nothing leaked.
TEST(SimWorld, MayEndAtAnyMoment) {
  size_t events = 0;
  {
    SmallWorld world(5);
    world.loop.run();
    events = world.loop.events();
    world.loop.abandon();
  }
  ASSERT_GT(events, 100u);
  for (size_t crash_at = 0; crash_at < events; crash_at += 1 + events / 1000) {
    SmallWorld world(5);
    EXPECT_EQ(world.loop.run_events(crash_at), crash_at);
    world.loop.abandon();
    EXPECT_EQ(world.nursery.running(), 0u);
    EXPECT_EQ(world.loop.run_events(1), 0u);
  }
}

// For who lives in it, a monotonic clock that jumps goes on evenly.
TEST(SimLoop, TimersKeepTheirTimeWhereTheClockJumps) {
  using namespace std::chrono_literals;
  for (const Duration jump : {Duration(-1h), Duration(24h * 365), Duration(-24h * 365 * 20)}) {
    SimLoop loop(1);
    const SteadyTime start = loop.clock().steady();
    std::vector<Duration> fired;
    for (const Duration after : {Duration(1s), Duration(70s), Duration(3h)})
      loop.at(start + after, [&] { fired.push_back(loop.clock().steady() - start); });
    loop.at(start + 30s, [&] { loop.manual_clock().jump_steady(jump); });
    loop.run();
    EXPECT_EQ(fired, (std::vector<Duration>{1s, 70s, 3h}));
    EXPECT_EQ(loop.clock().steady(), start + 3h);
  }
}

}  // namespace
}  // namespace caddis::aio
