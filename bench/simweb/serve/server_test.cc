// A web served on ports of the system's choice, asked by a small client of its own; what comes is compared, byte by
// byte, with what the world says.
#include "simweb/serve/server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "caddis/dns/message.h"
#include "simweb/serve/test_client.h"
#include "simweb/world/world.h"

namespace simweb {
namespace {

// Pages are compared with ==, as nobody wants to read them where they differ.
using End = TestClient::End;
using testing::StartsWith;

std::string whole(const Answer& answer) {
  std::string bytes = answer.head;
  for (const std::string_view piece : answer.body) bytes += piece;
  return bytes;
}

class ServerTest : public testing::Test {
 protected:
  static WebSettings settings() {
    WebSettings s = *profile("test");
    s.http_port = s.https_port = 0;
    s.drip_interval = 2;
    s.slow_delay = 3;
    s.bomb_size = 2'000'000;
    s.hang = s.endless = s.drip = s.bad_head = s.huge_head = s.gzip_bomb = 0.01;
    return s;
  }

  void SetUp() override { start(std::chrono::minutes(1)); }
  void start(caddis::Duration idle_timeout) {
    auto made = Server::create(settings(), {.idle_timeout = idle_timeout}, caddis::system_clock());
    ASSERT_TRUE(made) << made.error().message;
    server_ = std::move(*made);
    thread_ = std::thread([this] { server_->run(); });
  }
  void TearDown() override { stop(); }
  // The recorder may be looked at afterwards.
  const Recorder& stop() {
    server_->stop();
    if (thread_.joinable()) thread_.join();
    return server_->recorder();
  }

  const World& world() const { return server_->world(); }

  // An open host that `fits`.
  HostFacts host(auto&& fits) const {
    for (HostId id = 0; id < world().hosts(); ++id)
      if (const HostFacts found = world().host(id); found.open() && fits(found)) return found;
    ADD_FAILURE() << "no such host";
    return {};
  }
  HostFacts plain_host() const {
    return host([](const HostFacts& h) { return !h.https && h.inner > 2 && h.reach == Reach::normal; });
  }

  struct Place {
    HostFacts host;
    PageRef page;
  };
  std::vector<Place> pages_of(Kind kind, size_t most) const {
    std::vector<Place> found;
    for (HostId id = 0; id < world().hosts(); ++id) {
      const HostFacts h = world().host(id);
      for (uint64_t number = 0; h.open() && number < h.pages && found.size() < most; ++number)
        if (const PageRef page = world().page(h, number); page.kind == kind) found.push_back({h, page});
    }
    return found;
  }

  std::unique_ptr<TestClient> connect(const HostFacts& h) const {
    if (!h.https) return std::make_unique<TestClient>(h.address, server_->ports().http);
    return std::make_unique<TestClient>(h.address, server_->ports().https, world().host_name(h.id),
                                        server_->authority_pem());
  }
  std::string get(const HostFacts& h, const PageRef& page, std::string_view fields = "") const {
    std::string target;
    World::append_target(target, page);
    return "GET " + target + " HTTP/1.1\r\nHost: " + world().host_name(h.id) + "\r\n" + std::string(fields) + "\r\n";
  }
  void expect(const Place& place, Answer& answer, uint32_t attempt = 0, bool gzip = false) const {
    world().respond({.host = place.host.id,
                     .page = place.page,
                     .attempt = attempt,
                     .window = std::chrono::duration_cast<std::chrono::milliseconds>(
                                   caddis::system_clock().wall().time_since_epoch())
                                   .count() /
                               static_cast<int64_t>(world().settings().feed_period),
                     .accepts_gzip = gzip},
                    answer);
  }
  void check_page(const Place& place, bool gzip);

  std::unique_ptr<Server> server_;
  std::thread thread_;
};

// The bytes and the end that the answer promises.
void ServerTest::check_page(const Place& place, bool gzip) {
  SCOPED_TRACE(world().url(place.host, place.page));
  Answer answer;
  expect(place, answer, 0, gzip);
  std::string bytes = whole(answer);
  auto client = connect(place.host);
  ASSERT_TRUE(client->good());
  client->send(get(place.host, place.page, gzip ? "Accept-Encoding: gzip\r\n" : ""));
  switch (answer.transfer) {
    case Transfer::whole:
    case Transfer::drip: {
      const auto received = client->receive(bytes.size());
      EXPECT_TRUE(received.bytes == bytes);
      if (answer.close) EXPECT_EQ(client->receive(1).end, End::closed);
      break;
    }
    case Transfer::cut:
    case Transfer::reset: {
      bytes.resize(answer.head.size() + answer.cut);
      const auto received = client->receive(bytes.size() + 1);
      EXPECT_TRUE(received.bytes == bytes);
      EXPECT_EQ(received.end, answer.transfer == Transfer::reset ? End::reset : End::closed);
      break;
    }
    case Transfer::hang: {
      const auto received = client->receive(bytes.size() + 1, 30);
      bytes.resize(answer.head.size() + answer.cut);
      EXPECT_TRUE(received.bytes == bytes);
      EXPECT_EQ(received.end, End::silent);
      break;
    }
    case Transfer::endless: {
      std::string expected = answer.head;
      while (expected.size() < 3'000'000) expected += std::string_view(bytes).substr(answer.head.size());
      expected.resize(3'000'000);
      EXPECT_TRUE(client->receive(expected.size()).bytes == expected);
      break;
    }
  }
}

TEST_F(ServerTest, EveryKindOfPage) {
  for (int i = 0; i <= static_cast<int>(Kind::charset_conflict); ++i) {
    const auto kind = static_cast<Kind>(i);
    const auto places = pages_of(kind, 2);
    EXPECT_FALSE(places.empty()) << to_string(kind);
    for (const Place& place : places) check_page(place, kind == Kind::gzip_bomb);
  }
}

TEST_F(ServerTest, EveryCombinationOfCodings) {
  std::array<bool, 4> seen{};
  for (const Place& place : pages_of(Kind::html, 60)) {
    Answer answer;
    expect(place, answer, 0, true);
    seen[(answer.chunked ? 1u : 0u) | (answer.gzip ? 2u : 0u)] = true;
    check_page(place, true);
  }
  EXPECT_THAT(seen, testing::Each(true));
}

TEST_F(ServerTest, EveryRobotsTxt) {
  std::array<bool, 9> seen{};
  for (HostId id = 0; id < world().hosts(); ++id) {
    const HostFacts h = world().host(id);
    if (!h.resolves() || h.reach == Reach::dead || seen[static_cast<size_t>(h.robots)]) continue;
    seen[static_cast<size_t>(h.robots)] = true;
    for (uint32_t attempt = 0; attempt < 3; ++attempt) {
      const Place place{h, {.kind = Kind::robots}};
      Answer answer;
      expect(place, answer, attempt);
      auto client = connect(h);
      client->send(get(h, place.page));
      EXPECT_TRUE(client->receive(whole(answer).size()).bytes == whole(answer)) << to_string(h.robots) << attempt;
    }
  }
  EXPECT_THAT(seen, testing::Each(true));
}

TEST_F(ServerTest, RefusalsEndAfterSomeAttempts) {
  for (const Kind kind : {Kind::too_many, Kind::unavailable}) {
    const Place place = pages_of(kind, 1).at(0);
    for (uint32_t attempt = 0; attempt < 4; ++attempt) {
      Answer answer;
      expect(place, answer, attempt);
      EXPECT_EQ(answer.status != 200, attempt < world().refusals(place.host, place.page));
      auto client = connect(place.host);
      client->send(get(place.host, place.page));
      EXPECT_TRUE(client->receive(whole(answer).size()).bytes == whole(answer));
    }
  }
}

TEST_F(ServerTest, KeptAndPipelined) {
  const HostFacts h = plain_host();
  std::string requests, expected;
  for (uint64_t number = 0; number < 10 * h.inner; ++number) {
    Answer answer;
    expect({h, {Kind::html, number % h.inner}}, answer);
    requests += get(h, {Kind::html, number % h.inner});
    expected += whole(answer);
    if (answer.close) break;
  }
  auto client = connect(h);
  client->send(requests);
  EXPECT_TRUE(client->receive(expected.size()).bytes == expected);
  EXPECT_EQ(stop().connections(), 1u);
}

TEST_F(ServerTest, RequestsInPieces) {
  const HostFacts h = plain_host();
  Answer answer;
  expect({h, {Kind::html, 1}}, answer);
  auto client = connect(h);
  for (const char c : get(h, {Kind::html, 1}, "Content-Length: 3\r\n") + "abc") client->send({&c, 1});
  EXPECT_TRUE(client->receive(whole(answer).size()).bytes == whole(answer));
}

TEST_F(ServerTest, ConnectionCloseIsKept) {
  const HostFacts h = plain_host();
  auto client = connect(h);
  client->send(get(h, {Kind::html, 1}, "Connection: close\r\n"));
  EXPECT_EQ(client->receive(SIZE_MAX).end, End::closed);
  client = connect(h);
  client->send("GET / HTTP/1.0\r\nHost: " + world().host_name(h.id) + "\r\n\r\n");
  const auto received = client->receive(SIZE_MAX);
  EXPECT_EQ(received.end, End::closed);
  EXPECT_EQ(received.bytes.find("chunked"), std::string::npos);
}

class ImpatientServerTest : public ServerTest {
 protected:
  void SetUp() override { start(std::chrono::milliseconds(300)); }
};

TEST_F(ImpatientServerTest, SilentClientsAreSentAway) {
  auto client = connect(plain_host());
  EXPECT_EQ(client->receive(1).end, End::closed);
}

// As on a machine so busy that a client speaks too late.
TEST_F(ImpatientServerTest, WhoWasSentAwayMaySpeakAllTheSame) {
  const HostFacts h = host([](const HostFacts& f) { return f.https && f.reach == Reach::normal; });
  auto client = connect(h);
  EXPECT_EQ(connect(plain_host())->receive(1).end, End::closed) << "and so has the other been";
  for (int i = 0; i < 3; ++i) client->send(get(h, {Kind::html, 1}));
  EXPECT_NE(client->receive(1).end, End::kept);
}

TEST_F(ServerTest, HeadHasNoBodyAndIsNoCapture) {
  const HostFacts h = plain_host();
  auto client = connect(h);
  std::string request = get(h, {Kind::html, 1});
  client->send("HEAD" + request.substr(3));
  EXPECT_THAT(client->receive_head(), StartsWith("HTTP/1.1 200"));
  EXPECT_EQ(client->receive(1, 50).end, End::silent);
  EXPECT_EQ(stop().requests(), 0u);
  EXPECT_EQ(server_->recorder().odd().head, 1u);
}

TEST_F(ServerTest, ValidatorsAnswer304) {
  const HostFacts h = plain_host();
  auto client = connect(h);
  client->send(get(h, {Kind::html, 1}, "Connection: close\r\n"));
  const std::string first = client->receive(SIZE_MAX).bytes;
  const size_t at = first.find("ETag: ");
  ASSERT_NE(at, std::string::npos);
  const std::string tag = first.substr(at + 6, first.find('\r', at) - at - 6);
  client = connect(h);
  client->send(get(h, {Kind::html, 1}, "If-None-Match: " + tag + "\r\n"));
  EXPECT_THAT(client->receive_head(), StartsWith("HTTP/1.1 304"));
}

TEST_F(ServerTest, WhatIsNoneOfTheWeb) {
  const HostFacts h = plain_host();
  const std::pair<std::string, std::string> cases[] = {
      {"GET / HTTP/1.1\r\nHost: www.example.org\r\n\r\n", "HTTP/1.1 421"},
      {"nonsense\r\n\r\n", "HTTP/1.1 400"},
      {"BREW / HTTP/1.1\r\nHost: " + world().host_name(h.id) + "\r\n\r\n", "HTTP/1.1 405"},
      {"GET /nothing-here HTTP/1.1\r\nHost: " + world().host_name(h.id) + "\r\n\r\n", "HTTP/1.1 404"},
  };
  for (const auto& [request, status] : cases) {
    auto client = connect(h);
    client->send(request);
    EXPECT_THAT(client->receive_head(), StartsWith(status));
  }
  // A host has one scheme.
  const HostFacts secure = host([](const HostFacts& f) { return f.https; });
  TestClient client(secure.address, server_->ports().http);
  client.send(get(secure, {Kind::html, 0}));
  EXPECT_THAT(client.receive_head(), StartsWith("HTTP/1.1 404"));
  EXPECT_EQ(stop().odd().unknown_host, 1u);
  EXPECT_EQ(server_->recorder().odd().bad, 1u);
}

TEST_F(ServerTest, DeadAddressesCloseAtOnce) {
  TestClient client(0x7FFF0101, server_->ports().http);
  client.send("GET / HTTP/1.1\r\n\r\n");
  EXPECT_NE(client.receive(1).end, End::kept);
}

TEST_F(ServerTest, CertificatesAndTickets) {
  std::array<bool, 4> seen{};
  for (HostId id = 0; id < world().hosts(); ++id) {
    const HostFacts h = world().host(id);
    const unsigned which = (h.rsa ? 1u : 0u) | (h.tls_tickets ? 2u : 0u);
    if (!h.open() || !h.https || seen[which]) continue;
    seen[which] = true;
    SCOPED_TRACE(world().host_name(id));
    auto client = connect(h);
    ASSERT_TRUE(client->good());
    EXPECT_EQ(client->rsa(), h.rsa);
    client->send(get(h, {Kind::html, 0}));
    client->receive_head();  // tickets come with the first bytes
    SSL_SESSION* const session = client->session();
    EXPECT_EQ(SSL_SESSION_is_resumable(session) == 1 && SSL_SESSION_has_ticket(session) == 1, h.tls_tickets);
    TestClient again(h.address, server_->ports().https, world().host_name(id), server_->authority_pem(), session);
    SSL_SESSION_free(session);
    ASSERT_TRUE(again.good());
    EXPECT_EQ(again.resumed(), h.tls_tickets);
  }
  EXPECT_THAT(seen, testing::Each(true));
  TestClient stranger(0x7F000001, server_->ports().https, "www.example.org", server_->authority_pem());
  EXPECT_FALSE(stranger.good());
  // wrk, asked for https://127.0.0.1, gives the address as name.
  TestClient by_address(0x7F000001, server_->ports().https, "127.0.0.1", server_->authority_pem());
  EXPECT_TRUE(by_address.good());
}

TEST_F(ServerTest, Names) {
  const int fd = socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(server_->ports().dns);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string question("\x12\x34\x01\0\0\1\0\0\0\0\0\0", 12);
  question += std::string("\2h0\2s0\4test\0\0\1\0\1", 17);
  ASSERT_EQ(sendto(fd, question.data(), question.size(), 0, reinterpret_cast<const sockaddr*>(&to), sizeof(to)),
            static_cast<ssize_t>(question.size()));
  char bytes[512];
  const ssize_t size = recv(fd, bytes, sizeof(bytes), 0);
  close(fd);
  ASSERT_GT(size, 12);
  const auto message = caddis::dns::parse_message({bytes, static_cast<size_t>(size)});
  ASSERT_TRUE(message);
  EXPECT_EQ(message->answers.back().type, caddis::dns::Type::a);
  const Recorder& recorder = stop();
  EXPECT_EQ(recorder.dns(Dns::ok) + recorder.dns(Dns::cname), 1u);
}

TEST_F(ServerTest, TheJudgeSeesWhatWasServed) {
  const HostFacts h = plain_host();
  auto client = connect(h);
  Answer answer;
  for (const PageRef& page : {PageRef{Kind::robots}, PageRef{Kind::html, 1}, PageRef{Kind::html, 1}}) {
    expect({h, page}, answer);
    client->send(get(h, page));
    client->receive(whole(answer).size());
    if (answer.close) client = connect(h);
  }
  const Recorder& recorder = stop();
  EXPECT_EQ(recorder.requests(), 3u);
  EXPECT_EQ(recorder.duplicates().count, 1u);
  EXPECT_EQ(recorder.faults(Violation::before_robots).count, 0u);
  EXPECT_EQ(recorder.addresses().begin()->first, h.address);
}

}  // namespace
}  // namespace simweb
