// The client against servers that behave well and badly, over real sockets on loopback: what is stored is what was
// sent.
#include "caddis/http/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/aio/sim.h"
#include "caddis/aio/test_certificate.h"
#include "caddis/http/test_server.h"
#include "caddis/io/digest.h"
#include "caddis/io/memory_files.h"

namespace caddis::http {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

class ClientTest : public ::testing::Test {
 protected:
  ClientTest() : loop_(aio::make_loop(system_clock())), network_(aio::make_network(*loop_)) {}
  ClientTest(std::unique_ptr<aio::Loop> loop, std::unique_ptr<aio::Network> network)
      : loop_(std::move(loop)), network_(std::move(network)) {}

  // Plays `scripts` to `fetches` requests, one after the other, of one client.
  std::vector<FetchResult> fetch(std::vector<Script> scripts, size_t fetches = 1, Limits limits = {},
                                 const TestCredentials* tls = nullptr, PoolLimits pool = {}) {
    TestServer server(*network_, std::move(scripts), tls);
    Client client(*loop_, *network_, spools_, pool);
    client.on_turn([this](uint64_t ticket) { turn_ = ticket; });
    std::vector<FetchResult> results;
    aio::run_to_end(*loop_, drive(server, client, fetches, limits, tls != nullptr, results));
    stats_ = client.stats();
    requests_ = server.requests();
    connections_ = server.connections();
    return results;
  }

  FetchResult fetch_one(Script script, Limits limits = {}) {
    auto results = fetch({std::move(script)}, 1, limits);
    return std::move(results.front());
  }

  aio::Task<void> drive(TestServer& server, Client& client, size_t fetches, Limits limits, bool tls,
                        std::vector<FetchResult>& results) {
    aio::Nursery nursery;
    nursery.spawn(server.serve(*loop_));
    Origin origin{.tls = tls,
                  .host = "caddis.test",
                  .port = server.endpoint().port,
                  .address = server.endpoint(),
                  .trust = trust_};
    for (size_t i = 0; i < fetches; ++i) {
      if (i > 0 && pause_ > Duration::zero()) co_await aio::sleep_for(*loop_, pause_);
      if (!hosts_.empty()) origin.host = hosts_.at(i);
      FetchResult result = co_await client.fetch(origin, request_, limits);
      results.push_back(std::move(result));
    }
    client.close_idle();
    server.close();
    co_await nursery.join();
  }

  // Notes whose turn it is, so long after now.
  void look_after(std::vector<Duration> times) {
    for (const Duration time : times) loop_->at(loop_->clock().steady() + time, [this] { turns_.push_back(turn_); });
  }

  static std::vector<bool> reused(const std::vector<FetchResult>& results) {
    std::vector<bool> reused;
    for (const FetchResult& result : results) reused.push_back(result && result->reused);
    return reused;
  }

  static std::string stored(const FetchResult& result) { return *result->response.to_string(1 << 28); }

  std::unique_ptr<aio::Loop> loop_;
  std::unique_ptr<aio::Network> network_;
  io::MemoryFiles files_;
  io::SpoolFolder spools_{files_, "spool"};
  Request request_{.headers = {{"Host", "caddis.test"}}};
  aio::TlsTrust trust_ = aio::TlsTrust::open;
  std::vector<std::string> hosts_;  // of each fetch
  Duration pause_{};
  uint64_t turn_ = 0;
  std::vector<uint64_t> turns_;
  ClientStats stats_;
  std::vector<std::string> requests_;
  size_t connections_ = 0;
};

// What is about time is tested in the simulated world, where nothing is ever late.
class SimulatedClientTest : public ClientTest {
 protected:
  explicit SimulatedClientTest(aio::SimNetworkSettings network = {}, uint64_t seed = 1)
      : SimulatedClientTest(std::make_unique<aio::SimLoop>(seed), network) {}

 private:
  SimulatedClientTest(std::unique_ptr<aio::SimLoop> loop, const aio::SimNetworkSettings& network)
      : SimulatedClientTest(std::make_unique<aio::SimNetwork>(*loop, network), loop) {}
  SimulatedClientTest(std::unique_ptr<aio::Network> network, std::unique_ptr<aio::SimLoop>& loop)
      : ClientTest(std::move(loop), std::move(network)) {}
};

const std::string kHello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

TEST_F(ClientTest, RecordsBothSides) {
  const auto result = fetch_one({request(), send(kHello), wait_for_end()});
  ASSERT_TRUE(result) << result.error().error.message;
  EXPECT_EQ(stored(result), kHello);
  EXPECT_EQ(result->request_bytes, "GET / HTTP/1.1\r\nHost: caddis.test\r\n\r\n");
  EXPECT_EQ(requests_, std::vector{result->request_bytes});
  EXPECT_EQ(result->head.status(), 200);
  EXPECT_EQ(result->block_digest, io::sha1(kHello));
  EXPECT_EQ(result->payload_digest, io::sha1("hello"));
  EXPECT_EQ(result->remote.address, "127.0.0.1");
  EXPECT_FALSE(result->tls);
  EXPECT_FALSE(result->reused);
  EXPECT_TRUE(result->framing.keep_alive);
  EXPECT_GT(result->timings.connected, Duration::zero());
  EXPECT_GE(result->timings.first_byte, result->timings.connected);
  EXPECT_GE(result->timings.finished, result->timings.first_byte);
}

TEST_F(ClientTest, TakesBytesOneByOne) {
  const std::string bytes =
      "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: "
      "chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n";
  const auto result = fetch_one({request(), send(bytes, 1, 100us), wait_for_end()});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->interim + stored(result), bytes);
  EXPECT_EQ(result->payload_digest, io::sha1("hello"));
}

TEST_F(ClientTest, ReusesConnections) {
  const std::string chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n";
  const auto results =
      fetch({{request(), send(kHello), request(), send(chunked), request(), send(kHello), wait_for_end()}}, 3);
  for (const auto& result : results) ASSERT_TRUE(result);
  EXPECT_EQ(stored(results[1]), chunked);
  EXPECT_EQ(stored(results[2]), kHello);
  EXPECT_FALSE(results[0]->reused);
  EXPECT_TRUE(results[2]->reused);
  EXPECT_EQ(connections_, 1u);
  EXPECT_EQ(stats_.opened, 1u);
  EXPECT_EQ(stats_.reused, 2u);
}

// RFC 9112 section 9.6: who has said "close" sends nothing more, whatever the server does.
TEST_F(ClientTest, OpensAnotherConnectionAfterItsOwnClose) {
  request_.add("connection", " Close");
  const Script answers{request(), send(kHello), wait_for_end()};
  const auto results = fetch({answers, answers}, 2);
  ASSERT_TRUE(results[1]);
  EXPECT_FALSE(results[1]->reused);
  EXPECT_EQ(connections_, 2u);
}

// Hosts that share a server: it is not held by connections that wait. Those that have waited longer are used earlier.
TEST_F(ClientTest, KeepsFewConnectionsToAnAddress) {
  hosts_ = {"a.test", "b.test", "c.test", "b.test", "c.test", "a.test", "c.test"};
  const Script answers{request(), send(kHello), request(), send(kHello), request(), send(kHello), wait_for_end()};
  const auto results =
      fetch(std::vector(5, answers), hosts_.size(), {}, nullptr, PoolLimits{.max_idle_per_address = 2});
  EXPECT_THAT(reused(results), ElementsAre(false, false, false, true, false, true, false));
  EXPECT_EQ(connections_, 5u);
}

// As many hosts as there are visited in turn: half of them find their connection again, if half of them may wait.
TEST_F(ClientTest, KeepsWhatIsUsedNextOfHostsVisitedInTurn) {
  hosts_ = {"a.test", "b.test", "c.test", "d.test", "a.test", "b.test", "c.test", "d.test"};
  const Script answers{request(), send(kHello), request(), send(kHello), wait_for_end()};
  const auto results = fetch(std::vector(6, answers), hosts_.size(), {}, nullptr, PoolLimits{.max_idle = 2});
  EXPECT_THAT(reused(results), ElementsAre(false, false, false, false, true, true, false, false));
}

// Its host may be through.
TEST_F(SimulatedClientTest, ConnectionsThatHaveWaitedLongGiveWay) {
  pause_ = 3s;
  hosts_ = {"a.test", "b.test", "c.test", "c.test", "a.test"};
  const Script answers{request(), send(kHello), request(), send(kHello), wait_for_end()};
  const auto results = fetch(std::vector(4, answers), hosts_.size(), {}, nullptr,
                             PoolLimits{.max_idle_per_address = 2, .max_idle_age = 10s});
  EXPECT_THAT(reused(results), ElementsAre(false, false, false, true, false));
}

TEST_F(ClientTest, OpensAnotherConnectionWhereTheServerCloses) {
  const std::string closing = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello";
  const auto results = fetch({{request(), send(closing), wait_for_end()}}, 2);
  ASSERT_TRUE(results[1]);
  EXPECT_EQ(connections_, 2u);
  EXPECT_FALSE(results[0]->framing.keep_alive);
}

TEST_F(ClientTest, NoticesThatAKeptConnectionWasClosed) {
  // The end is there before the next request: seen without a try, if it came in time.
  pause_ = 100ms;
  const auto results = fetch({{request(), send(kHello)}, {request(), send(kHello), wait_for_end()}}, 2);
  ASSERT_TRUE(results[1]);
  EXPECT_EQ(stored(results[1]), kHello);
  EXPECT_EQ(stats_.reused, stats_.stale);
  EXPECT_EQ(connections_, 2u);
}

TEST_F(ClientTest, RepeatsOnceWhenAKeptConnectionTurnsOutDead) {
  // The server takes the second request and closes without a word.
  const auto results = fetch({{request(), send(kHello), request()}, {request(), send(kHello), wait_for_end()}}, 2);
  ASSERT_TRUE(results[1]) << results[1].error().error.message;
  EXPECT_EQ(stored(results[1]), kHello);
  EXPECT_FALSE(results[1]->reused);
  EXPECT_EQ(stats_.stale, 1u);
  EXPECT_EQ(connections_, 2u);
}

TEST_F(ClientTest, DoesNotRepeatWhatChangesTheServer) {
  request_.method = "POST";
  const auto results = fetch({{request(), send(kHello), request()}, {request(), send(kHello), wait_for_end()}}, 2);
  ASSERT_FALSE(results[1]);
  EXPECT_EQ(results[1].error().at, Failure::At::response);
}

TEST_F(ClientTest, DoesNotTakeAServersSurplusForAnAnswer) {
  const std::string smuggled = "HTTP/1.1 500 Smuggled\r\nContent-Length: 0\r\n\r\n";
  const auto results =
      fetch({{request(), send(kHello + smuggled), wait_for_end()}, {request(), send(kHello), wait_for_end()}}, 2);
  ASSERT_TRUE(results[0] && results[1]);
  EXPECT_EQ(stored(results[0]), kHello);
  EXPECT_EQ(results[1]->head.status(), 200);
  EXPECT_EQ(connections_, 2u);
}

TEST_F(ClientTest, DropsAConnectionThatSpeaksUnasked) {
  pause_ = 300ms;
  const std::string timeout = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n";
  const auto results =
      fetch({{request(), send(kHello), wait(10ms), send(timeout)}, {request(), send(kHello), wait_for_end()}}, 2);
  ASSERT_TRUE(results[1]);
  EXPECT_EQ(results[1]->head.status(), 200);
  EXPECT_EQ(connections_, 2u);
}

TEST_F(SimulatedClientTest, ForgetsConnectionsByAge) {
  pause_ = 40s;
  const auto results = fetch({{request(), send(kHello), request(), send(kHello), wait_for_end()}}, 2, {}, nullptr,
                             PoolLimits{.max_idle_age = 10s});
  ASSERT_TRUE(results[1]);
  EXPECT_EQ(connections_, 2u);
}

TEST_F(ClientTest, MarksABodyThatBreaksOff) {
  const std::string bytes = "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhello";
  const auto closed = fetch_one({request(), send(bytes)});
  ASSERT_TRUE(closed);
  EXPECT_EQ(closed->truncated, Truncated::disconnect);
  EXPECT_EQ(stored(closed), bytes);
}

TEST_F(ClientTest, MarksAConnectionThatIsReset) {
  // Closing with the request unread makes the kernel send a reset; what was sent may be lost on the way.
  const std::string bytes = "HTTP/1.1 200 OK\r\n\r\nhello";
  const auto reset = fetch_one({send(bytes), wait(10ms)});
  ASSERT_TRUE(reset);
  EXPECT_EQ(reset->truncated, Truncated::disconnect);
  EXPECT_EQ(stored(reset), bytes);
}

TEST_F(SimulatedClientTest, GivesUpOnSilence) {
  const Limits limits{.silence = 30s};
  const auto dumb = fetch_one({request(), wait_for_end()}, limits);
  ASSERT_FALSE(dumb);
  EXPECT_EQ(dumb.error().at, Failure::At::response);
  EXPECT_EQ(dumb.error().error.code, ErrorCode::timeout);
  const std::string bytes = "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhello";
  const auto stuck = fetch_one({request(), send(bytes), wait_for_end()}, limits);
  ASSERT_TRUE(stuck);
  EXPECT_EQ(stuck->truncated, Truncated::time);
  EXPECT_EQ(stored(stuck), bytes);
}

TEST_F(SimulatedClientTest, GivesUpOnDrips) {
  // Never silent for long, never done.
  const Limits limits{.silence = 20s, .total = 100s};
  const auto result = fetch_one({request(), send("HTTP/1.1 200 OK\r\n\r\n" + std::string(10'000, 'x'), 1, 1s)}, limits);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->truncated, Truncated::time);
  EXPECT_GT(result->body_size(), 50u);
  EXPECT_LT(result->body_size(), 100u);
  EXPECT_GE(result->timings.finished, 100s);
  EXPECT_LT(result->timings.finished, 101s);
}

TEST_F(SimulatedClientTest, KeepsToItsBandwidth) {
  const std::string body(100'000, 'x');
  const std::string bytes = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + body;
  const auto slow = fetch_one({request(), send(bytes), wait_for_end()}, {.bandwidth = 10'000});
  ASSERT_TRUE(slow);
  EXPECT_EQ(stored(slow), bytes);
  EXPECT_GE(slow->timings.finished, 9700ms);
  EXPECT_LT(slow->timings.finished, 11s);
  // It takes all the time there is, not more.
  const auto cut = fetch_one({request(), send(bytes), wait_for_end()}, {.total = 5s, .bandwidth = 10'000});
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->truncated, Truncated::time);
  EXPECT_NEAR(static_cast<double>(cut->body_size()), 50'000, 5'000);
  EXPECT_LT(cut->timings.finished, 5100ms);
  // A server that drips slower than that is not waited for.
  const auto drips = fetch_one({request(), send(bytes, 500, 100ms), wait_for_end()}, {.bandwidth = 10'000});
  ASSERT_TRUE(drips);
  EXPECT_LT(drips->timings.finished, 21s);
}

// Its turn ends before it waits, for bytes or because of its bandwidth: if the thread is held up meanwhile, it is by
// somebody else.
TEST_F(ClientTest, HasNoTurnWhileItWaitsForBytes) {
  request_.ticket = 7;
  look_after({10ms, 20ms, 30ms});
  const auto result = fetch_one({request(), send(kHello.substr(0, kHello.size() - 2)), wait(40ms), send("lo")});
  ASSERT_TRUE(result);
  EXPECT_EQ(turn_, 7u);
  EXPECT_THAT(turns_, ElementsAre(0, 0, 0));
}

TEST_F(SimulatedClientTest, HasNoTurnWhileItKeepsToItsBandwidth) {
  request_.ticket = 7;
  look_after({1s, 2s, 3s});
  const std::string bytes = "HTTP/1.1 200 OK\r\n\r\n" + std::string(50'000, 'x');
  ASSERT_TRUE(fetch_one({request(), send(bytes)}, {.bandwidth = 10'000}));
  EXPECT_EQ(turn_, 7u);
  EXPECT_THAT(turns_, ElementsAre(0, 0, 0));
}

TEST_F(ClientTest, CutsEndlessBodies) {
  const auto result = fetch_one({request(), send("HTTP/1.1 200 OK\r\n\r\n"), endless(std::string(65536, 'x'))},
                                Limits{.max_body = 1'000'000, .memory = 1000});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->truncated, Truncated::length);
  EXPECT_EQ(result->body_size(), 1'000'000u);
  EXPECT_EQ(stored(result), "HTTP/1.1 200 OK\r\n\r\n" + std::string(1'000'000, 'x'));
}

TEST_F(ClientTest, CutsEndlessHeads) {
  const auto result = fetch_one({request(), send("HTTP/1.1 200 OK\r\n"), endless("A: b\r\n")});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->truncated, Truncated::head);
  EXPECT_EQ(result->head_size, Limits().max_head);
}

TEST_F(ClientTest, KnowsOtherProtocolsAtOnce) {
  const auto result = fetch_one({send("SSH-2.0-OpenSSH_9.2p1\r\n"), wait_for_end()});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().at, Failure::At::protocol);
}

TEST_F(ClientTest, SaysWhenNobodyAnswers) {
  auto listener = network_->listen(aio::Endpoint{"127.0.0.1", 0});
  const aio::Endpoint nobody = (*listener)->local();
  listener->reset();
  Client client(*loop_, *network_, spools_);
  std::optional<FetchResult> result;
  const auto body = [&]() -> aio::Task<void> {
    const Origin origin{.host = "caddis.test", .port = nobody.port, .address = nobody};
    result = co_await client.fetch(origin, request_, Limits());
  };
  aio::run_to_end(*loop_, body());
  ASSERT_FALSE(*result);
  EXPECT_EQ(result->error().at, Failure::At::connect);
  EXPECT_EQ(result->error().error.code, ErrorCode::io);
}

TEST_F(ClientTest, SpeaksIpv6) {
  TestServer server(*network_, {{request(), send(kHello), wait_for_end()}}, nullptr, "::1");
  Client client(*loop_, *network_, spools_);
  std::vector<FetchResult> results;
  aio::run_to_end(*loop_, drive(server, client, 1, Limits(), false, results));
  ASSERT_TRUE(results[0]);
  EXPECT_EQ(results[0]->remote.address, "::1");
}

TEST_F(ClientTest, SpeaksTls) {
  const auto certificate = aio::make_test_certificate();
  const TestCredentials tls{certificate.certificate_pem, certificate.key_pem};
  const std::string to_end = "HTTP/1.1 200 OK\r\n\r\nhello";
  const auto results =
      fetch({{request(), send(kHello), request(), send(to_end)}, {request(), send(kHello)}}, 3, {}, &tls);
  for (const auto& result : results) ASSERT_TRUE(result) << result.error().error.message;
  EXPECT_EQ(stored(results[1]), to_end);
  EXPECT_EQ(results[1]->truncated, Truncated::none);
  ASSERT_TRUE(results[0]->tls);
  EXPECT_EQ(results[0]->tls->protocol, "tls/1.3");
  EXPECT_FALSE(results[0]->tls->verify_error.empty()) << "nobody vouches for this certificate, and the record says so";
  EXPECT_TRUE(results[1]->reused);
  EXPECT_TRUE(results[2]->tls->resumed);
  EXPECT_EQ(connections_, 2u);
}

TEST_F(ClientTest, RefusesUntrustedCertificatesWhereAsked) {
  const auto certificate = aio::make_test_certificate();
  const TestCredentials tls{certificate.certificate_pem, certificate.key_pem};
  trust_ = aio::TlsTrust::strict;
  const auto results = fetch({{request(), send(kHello)}}, 1, {}, &tls);
  ASSERT_FALSE(results[0]);
  EXPECT_EQ(results[0].error().at, Failure::At::tls);
}

TEST_F(ClientTest, TellsTlsFailuresApart) {
  const TestCredentials* no_tls = nullptr;
  TestServer server(*network_, {{send("HTTP/1.1 400 Bad\r\n\r\n"), wait_for_end()}}, no_tls);
  Client client(*loop_, *network_, spools_);
  std::vector<FetchResult> results;
  aio::run_to_end(*loop_, drive(server, client, 1, Limits(), true, results));
  ASSERT_FALSE(results[0]);
  EXPECT_EQ(results[0].error().at, Failure::At::tls);
}

TEST_F(ClientTest, EndsWhenAborted) {
  TestServer server(*network_, {{request(), wait_for_end()}});
  Client client(*loop_, *network_, spools_);
  std::vector<FetchResult> results;
  const auto body = [&]() -> aio::Task<void> {
    aio::Nursery nursery;
    nursery.spawn(drive(server, client, 2, Limits(), false, results));
    co_await aio::sleep_for(*loop_, 20ms);
    client.abort();
    co_await nursery.join();
  };
  aio::run_to_end(*loop_, body());
  for (const auto& result : results) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().error.code, ErrorCode::cancelled);
  }
}

TEST_F(ClientTest, EndsOneThatConnects) {
  TestServer server(*network_, {{wait_for_end()}});  // it leaves the TLS handshake waiting
  Client client(*loop_, *network_, spools_);
  std::vector<FetchResult> results;
  request_.ticket = 7;
  const SteadyTime begun = loop_->clock().steady();
  const auto body = [&]() -> aio::Task<void> {
    aio::Nursery nursery;
    nursery.spawn(drive(server, client, 1, Limits(), true, results));
    co_await aio::sleep_for(*loop_, 20ms);
    client.end(8);
    co_await aio::sleep_for(*loop_, 20ms);
    EXPECT_TRUE(results.empty());
    client.end(7);
    co_await nursery.join();
  };
  aio::run_to_end(*loop_, body());
  ASSERT_FALSE(results[0]);
  EXPECT_LT(loop_->clock().steady() - begun, 5s);
}

TEST_F(ClientTest, DoesNotWaitForDeadHostsWhenAborted) {
  // A server that accepts and says nothing leaves a TLS handshake waiting.
  TestServer server(*network_, {{wait_for_end()}});
  Client client(*loop_, *network_, spools_);
  std::vector<FetchResult> results;
  const SteadyTime begun = loop_->clock().steady();
  const auto body = [&]() -> aio::Task<void> {
    aio::Nursery nursery;
    nursery.spawn(drive(server, client, 1, Limits(), true, results));
    co_await aio::sleep_for(*loop_, 20ms);
    client.abort();
    co_await nursery.join();
  };
  aio::run_to_end(*loop_, body());
  ASSERT_FALSE(results[0]);
  EXPECT_EQ(results[0].error().error.code, ErrorCode::cancelled);
  EXPECT_LT(loop_->clock().steady() - begun, 10s);
}

TEST(FaultyNetworkTest, NeverClaimsMoreThanCame) {
  // Connections that are refused, hang, break off or stall: a response without a mark is whole and exact.
  class World : public SimulatedClientTest {
   public:
    explicit World(uint64_t seed)
        : SimulatedClientTest({.refused = 50, .hanging = 50, .reset = 200, .stalled = 200, .fault_within = 60'000},
                              seed) {}
    void TestBody() override {}
    using ClientTest::fetch;
    using ClientTest::stored;
  };
  const std::string body(30'000, 'x');
  const std::string page = "HTTP/1.1 200 OK\r\nContent-Length: 30000\r\n\r\n" + body;
  std::string chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 30; ++i) chunks += "3e8\r\n" + body.substr(0, 1000) + "\r\n";
  chunks += "0\r\n\r\n";
  const Script script = {request(), send(page, 1000),   request(),     send(chunks, 777),
                         request(), send(page, 30'000), wait_for_end()};
  size_t whole = 0, cut = 0, failed = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    World world(seed);
    for (const FetchResult& result : world.fetch({script}, 3)) {
      if (!result) {
        ++failed;
      } else if (result->truncated == Truncated::none) {
        ++whole;
        EXPECT_TRUE(world.stored(result) == page || world.stored(result) == chunks);
        EXPECT_EQ(result->payload_digest, io::sha1(body));
      } else {
        ++cut;
        EXPECT_TRUE(page.starts_with(world.stored(result)) || chunks.starts_with(world.stored(result)));
        EXPECT_FALSE(result->framing.keep_alive);
      }
    }
  }
  EXPECT_GT(whole, 100u);
  EXPECT_GT(cut, 10u);
  EXPECT_GT(failed, 10u);
}

class ProxyTest : public ClientTest {
 protected:
  FetchResult fetch_through(std::vector<Script> scripts, bool tls) {
    TestServer server(*network_, std::move(scripts));
    const Proxy proxy{.address = server.endpoint(), .authorization = "Basic Og=="};
    Client client(*loop_, *network_, spools_);
    std::optional<FetchResult> result;
    const auto body = [&]() -> aio::Task<void> {
      aio::Nursery nursery;
      nursery.spawn(server.serve(*loop_));
      const Origin origin{.tls = tls, .host = "caddis.test", .port = static_cast<uint16_t>(tls ? 443 : 80)};
      result = co_await client.fetch(origin, request_, Limits(), &proxy);
      client.close_idle();
      server.close();
      co_await nursery.join();
    };
    aio::run_to_end(*loop_, body());
    requests_ = server.requests();
    return *std::move(result);
  }
};

TEST_F(ProxyTest, CarriesPlainRequests) {
  request_.target = "/a?b";
  request_.add_secret("Authorization", "Basic Og==");
  const auto result = fetch_through({{request(), send(kHello), wait_for_end()}}, false);
  ASSERT_TRUE(result);
  EXPECT_EQ(requests_[0],
            "GET http://caddis.test/a?b HTTP/1.1\r\nHost: caddis.test\r\nAuthorization: Basic Og==\r\n"
            "Proxy-Authorization: Basic Og==\r\n\r\n");
  // The archive keeps what the server saw, and no password.
  EXPECT_EQ(result->request_bytes, "GET /a?b HTTP/1.1\r\nHost: caddis.test\r\n\r\n");
}

TEST_F(ProxyTest, RefusesATunnel) {
  const auto result =
      fetch_through({{request(), send("HTTP/1.1 407 Who are you\r\nContent-Length: 0\r\n\r\n"), wait_for_end()}}, true);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().at, Failure::At::proxy);
  EXPECT_EQ(result.error().error.message, "the proxy gave no tunnel to caddis.test:443: 407 Who are you");
  EXPECT_EQ(requests_[0],
            "CONNECT caddis.test:443 HTTP/1.1\r\nHost: caddis.test:443\r\nProxy-Authorization: Basic Og==\r\n\r\n");
}

// A proxy that tunnels to one server, whatever is asked.
class Tunnel {
 public:
  Tunnel(aio::Loop& loop, aio::Network& network, aio::Endpoint to)
      : loop_(loop), network_(network), to_(std::move(to)) {
    listener_ = *network.listen(aio::Endpoint{"127.0.0.1", 0});
  }
  aio::Endpoint endpoint() const { return listener_->local(); }

  aio::Task<void> serve_one() {
    auto inner = co_await listener_->accept();
    char buffer[4096];
    const auto asked = co_await (*inner)->read(buffer, sizeof(buffer));
    CADDIS_CHECK(asked && std::string_view(buffer, *asked).starts_with("CONNECT caddis.test:443 "));
    auto outer = co_await network_.connect(to_, nullptr, loop_.clock().steady() + std::chrono::seconds(10));
    const auto answered = co_await (*inner)->write("HTTP/1.1 200 Connection established\r\n\r\n");
    CADDIS_CHECK(answered);
    aio::Nursery nursery;
    nursery.spawn(relay(**inner, **outer));
    nursery.spawn(relay(**outer, **inner));
    co_await nursery.join();
  }

 private:
  aio::Task<void> relay(aio::Stream& from, aio::Stream& to) {
    char buffer[4096];
    for (;;) {
      const auto got = co_await from.read(buffer, sizeof(buffer));
      if (!got || *got == 0) break;
      const auto sent = co_await to.write(std::string_view(buffer, *got));
      if (!sent) break;
    }
    from.close();
    to.close();
  }

  aio::Loop& loop_;
  aio::Network& network_;
  aio::Endpoint to_;
  std::unique_ptr<aio::Listener> listener_;
};

TEST_F(ProxyTest, TunnelsTls) {
  const auto certificate = aio::make_test_certificate();
  const TestCredentials tls{certificate.certificate_pem, certificate.key_pem};
  TestServer server(*network_, {{request(), send(kHello), request(), send(kHello), wait_for_end()}}, &tls);
  Tunnel tunnel(*loop_, *network_, server.endpoint());
  const Proxy proxy{.address = tunnel.endpoint()};
  Client client(*loop_, *network_, spools_);
  std::vector<FetchResult> results;
  const auto body = [&]() -> aio::Task<void> {
    aio::Nursery nursery;
    nursery.spawn(server.serve(*loop_));
    nursery.spawn(tunnel.serve_one());
    const Origin origin{.tls = true, .host = "caddis.test", .port = 443};
    for (int i = 0; i < 2; ++i) {
      FetchResult result = co_await client.fetch(origin, request_, Limits(), &proxy);
      results.push_back(std::move(result));
    }
    client.close_idle();
    server.close();
    co_await nursery.join();
  };
  aio::run_to_end(*loop_, body());
  for (const auto& result : results) {
    ASSERT_TRUE(result) << result.error().error.message;
    EXPECT_EQ(stored(result), kHello);
    EXPECT_TRUE(result->tls);
  }
  EXPECT_TRUE(results[1]->reused);
}

// A connection to one proxy, or for one of its customers, is not used for another.
TEST_F(ProxyTest, KeepsConnectionsApart) {
  const std::vector<Script> two = {{request(), send(kHello), request(), send(kHello), wait_for_end()},
                                   {request(), send(kHello), wait_for_end()}};
  TestServer first(*network_, two), second(*network_, {{request(), send(kHello), wait_for_end()}});
  const Proxy me{first.endpoint(), "Basic bWU6"}, other{first.endpoint(), "Basic b3RoZXI6"}, far{second.endpoint(), ""};
  Client client(*loop_, *network_, spools_);
  std::vector<bool> reused;
  const auto body = [&]() -> aio::Task<void> {
    aio::Nursery nursery;
    nursery.spawn(first.serve(*loop_));
    nursery.spawn(second.serve(*loop_));
    const Origin origin{.tls = false, .host = "caddis.test", .port = 80};
    const std::vector<const Proxy*> through = {&me, &other, &far, &me};
    for (const Proxy* proxy : through) {
      const FetchResult result = co_await client.fetch(origin, request_, Limits(), proxy);
      reused.push_back(result && result->reused);
    }
    client.close_idle();
    first.close();
    second.close();
    co_await nursery.join();
  };
  aio::run_to_end(*loop_, body());
  EXPECT_EQ(reused, (std::vector<bool>{false, false, false, true}));
  EXPECT_EQ(second.requests().size(), 1u);
}

}  // namespace
}  // namespace caddis::http
