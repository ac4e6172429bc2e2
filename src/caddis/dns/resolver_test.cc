#include "caddis/dns/resolver.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <map>
#include <string>

#include "caddis/aio/nursery.h"
#include "caddis/aio/readiness.h"

namespace caddis::dns {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;
using aio::Task;
using testing::ElementsAre;
using testing::HasSubstr;

std::string wire_name(std::string_view name) {
  std::string wire;
  while (!name.empty()) {
    const std::string_view label = name.substr(0, name.find('.'));
    wire += static_cast<char>(label.size());
    wire += label;
    name.remove_prefix(std::min(name.size(), label.size() + 1));
  }
  return wire + '\0';
}

std::string record(std::string_view owner, int type, uint8_t ttl, const std::string& data) {
  return wire_name(owner) + '\0' + static_cast<char>(type) + "\0\1\0\0\0"s + static_cast<char>(ttl) + '\0' +
         static_cast<char>(data.size()) + data;
}

std::string ipv4(const char* text) {
  std::string bytes(4, '\0');
  inet_pton(AF_INET, text, bytes.data());
  return bytes;
}

std::string ipv6(const char* text) {
  std::string bytes(16, '\0');
  inet_pton(AF_INET6, text, bytes.data());
  return bytes;
}

// A name server on a UDP port of loopback. What it has no answer for, it does not answer at all.
class Responder {
 public:
  struct Reply {
    int response_code = 0;
    std::vector<std::string> records;
  };

  explicit Responder(aio::Loop& loop) : socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address));
    socklen_t size = sizeof(address);
    getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    readiness_ = aio::watch(loop, socket_, [this](bool, bool) { answer(); });
    readiness_->want(true, false);
  }
  Responder(const Responder&) = delete;
  Responder& operator=(const Responder&) = delete;
  ~Responder() {
    readiness_.reset();
    ::close(socket_);
  }

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  Reply& at(const std::string& name, int type) { return replies_[{wire_name(name), type}]; }
  int questions() const { return questions_; }

 private:
  void answer() {
    std::array<char, 512> buffer{};
    sockaddr_in from = {};
    socklen_t size = sizeof(from);
    const ssize_t received =
        recvfrom(socket_, buffer.data(), buffer.size(), 0, reinterpret_cast<sockaddr*>(&from), &size);
    if (received < 17) return;
    ++questions_;
    const std::string query(buffer.data(), static_cast<size_t>(received));
    const std::string name = query.substr(12, query.find('\0', 12) - 11);
    const auto reply = replies_.find({name, query[12 + name.size() + 1]});
    if (reply == replies_.end()) return;
    std::string response = query.substr(0, 2) + "\x81" + static_cast<char>(0x80 | reply->second.response_code) +
                           "\0\1\0"s + static_cast<char>(reply->second.records.size()) + "\0\0\0\0"s +
                           query.substr(12, name.size() + 4);
    for (const std::string& text : reply->second.records) response += text;
    sendto(socket_, response.data(), response.size(), 0, reinterpret_cast<sockaddr*>(&from), size);
  }

  int socket_;
  uint16_t port_ = 0;
  std::unique_ptr<aio::Readiness> readiness_;
  std::map<std::pair<std::string, int>, Reply> replies_;
  int questions_ = 0;
};

class ResolverTest : public testing::Test {
 protected:
  ResolverTest() {
    settings_.servers.push_back(server_.address());
    settings_.timeout = 20ms;
    settings_.tries = 2;
    settings_.system_hosts = false;
  }

  std::unique_ptr<Resolver> resolver() {
    auto made = make_resolver(*loop_, settings_);
    EXPECT_TRUE(made.has_value());
    return *std::move(made);
  }

  Result<Answer> ask(Resolver& resolver, const std::string& host) {
    Result<Answer> answer;
    const auto body = [&]() -> Task<void> { answer = co_await resolver.resolve(host); };
    run_to_end(*loop_, body());
    return answer;
  }

  std::unique_ptr<aio::Loop> loop_ = aio::make_loop(system_clock());
  Responder server_{*loop_};
  Settings settings_;
};

TEST_F(ResolverTest, AnswersWithBothFamiliesAndCaches) {
  server_.at("www.example.org", 1).records = {record("www.example.org", 1, 60, ipv4("192.0.2.1")),
                                              record("www.example.org", 1, 60, ipv4("192.0.2.2"))};
  server_.at("www.example.org", 28).records = {record("www.example.org", 28, 30, ipv6("2001:db8::1"))};
  const auto names = resolver();
  auto answer = ask(*names, "WWW.Example.ORG.");
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  EXPECT_EQ(answer->host, "www.example.org");
  EXPECT_THAT(answer->addresses,
              ElementsAre(Address("192.0.2.1", false), Address("192.0.2.2", false), Address("2001:db8::1", true)));
  EXPECT_EQ(answer->records.size(), 3u);
  EXPECT_EQ(answer->ttl, 6h);
  EXPECT_EQ(answer->server, "127.0.0.1");
  EXPECT_FALSE(answer->from_cache);
  answer = ask(*names, "www.example.org");
  EXPECT_TRUE(answer->from_cache);
  EXPECT_EQ(answer->records.size(), 3u);
  EXPECT_EQ(server_.questions(), 2);
}

TEST_F(ResolverTest, RecordsTheChainOfAliases) {
  const std::string first = record("a.test", 5, 10, wire_name("b.test"));
  const std::string second = record("b.test", 5, 20, wire_name("c.test"));
  server_.at("a.test", 1).records = {first, second, record("c.test", 1, 30, ipv4("192.0.2.7"))};
  server_.at("a.test", 28).records = {first, second};
  settings_.ttl_floor = Duration::zero();
  const auto names = resolver();
  const auto answer = ask(*names, "a.test");
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  EXPECT_THAT(answer->records, ElementsAre("a.test.\t10\tIN\tCNAME\tb.test.", "b.test.\t20\tIN\tCNAME\tc.test.",
                                           "c.test.\t30\tIN\tA\t192.0.2.7"));
  EXPECT_EQ(answer->ttl, 10s);
  const WallTime when(std::chrono::seconds(1'767'323'045));
  EXPECT_EQ(dns_record_body(*answer, when),
            "20260102030405\na.test.\t10\tIN\tCNAME\tb.test.\nb.test.\t20\tIN\tCNAME\tc.test.\n"
            "c.test.\t30\tIN\tA\t192.0.2.7\n");
}

// Whoever answers may say anything of any name: only what is said of the name that was asked, and of those that its
// aliases lead to, is an answer.
TEST_F(ResolverTest, TakesNothingThatItDidNotAskFor) {
  settings_.ipv6 = false;
  server_.at("a.test", 1).records = {record("other.test", 1, 60, ipv4("192.0.2.66")),
                                     record("a.test", 1, 60, ipv4("192.0.2.1")),
                                     record("a.test.evil.test", 1, 60, ipv4("192.0.2.67"))};
  server_.at("b.test", 1).records = {record("bank.test", 1, 60, ipv4("192.0.2.66"))};
  // The aliases of another name lead nowhere; those of one's own may stand in any order and case.
  server_.at("c.test", 1).records = {
      record("x.test", 5, 60, wire_name("y.test")), record("y.test", 1, 60, ipv4("192.0.2.66")),
      record("D.test", 1, 60, ipv4("192.0.2.3")), record("C.Test", 5, 60, wire_name("d.TEST"))};
  const auto names = resolver();
  const auto first = ask(*names, "a.test");
  ASSERT_TRUE(first.has_value());
  EXPECT_THAT(first->addresses, ElementsAre(Address("192.0.2.1", false)));
  EXPECT_THAT(first->records, ElementsAre("a.test.\t60\tIN\tA\t192.0.2.1"));
  EXPECT_EQ(ask(*names, "b.test").error().code, ErrorCode::not_found);
  const auto third = ask(*names, "c.test");
  ASSERT_TRUE(third.has_value());
  EXPECT_THAT(third->addresses, ElementsAre(Address("192.0.2.3", false)));
  EXPECT_EQ(third->records.size(), 2u);
}

// A DNAME stands for a whole domain; the CNAME that a name server makes of it leads on.
TEST_F(ResolverTest, KeepsTheRecordsThatAliasesAreMadeOf) {
  settings_.ipv6 = false;
  server_.at("www.a.test", 1).records = {record("a.test", 39, 60, wire_name("b.test")),
                                         record("www.a.test", 5, 60, wire_name("www.b.test")),
                                         record("www.b.test", 1, 60, ipv4("192.0.2.3"))};
  const auto names = resolver();
  const auto answer = ask(*names, "www.a.test");
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->records.size(), 3u);
}

TEST_F(ResolverTest, TakesNothingThatIsMalformed) {
  settings_.ipv6 = false;
  server_.at("a.test", 1).records = {record("a.test", 1, 60, "abc"), record("a.test", 1, 60, ipv4("192.0.2.1"))};
  server_.at("b.test", 1).records = {record("b.test", 1, 60, "abcde")};
  server_.at("c.test", 1).records = {record("c.test", 1, 60, ipv4("192.0.2.1")).substr(0, 20)};
  server_.at("d.test", 1).records = {record("bank.test", 1, 60, ipv4("192.0.2.1"))};
  const auto names = resolver();
  const auto answer = ask(*names, "a.test");
  ASSERT_TRUE(answer.has_value());
  EXPECT_THAT(answer->addresses, ElementsAre(Address("192.0.2.1", false)));
  EXPECT_EQ(ask(*names, "b.test").error().code, ErrorCode::not_found);
  EXPECT_FALSE(ask(*names, "c.test").has_value());
  EXPECT_FALSE(ask(*names, "d.test").has_value());
}

TEST_F(ResolverTest, NamesThatDoNotExistAreRememberedToo) {
  server_.at("no.test", 1).response_code = 3;
  server_.at("no.test", 28).response_code = 3;
  const auto names = resolver();
  for (int i = 0; i < 2; ++i) {
    const auto answer = ask(*names, "no.test");
    ASSERT_FALSE(answer.has_value());
    EXPECT_EQ(answer.error().code, ErrorCode::not_found);
    EXPECT_THAT(answer.error().message, HasSubstr("no.test"));
  }
  EXPECT_EQ(server_.questions(), 2);
}

TEST_F(ResolverTest, ANameWithoutAddressIsNotFound) {
  server_.at("empty.test", 1);
  server_.at("empty.test", 28);
  server_.at("zero.test", 1).records = {record("zero.test", 1, 60, ipv4("0.0.0.0"))};
  server_.at("zero.test", 28).records = {record("zero.test", 28, 60, ipv6("::"))};
  const auto names = resolver();
  EXPECT_EQ(ask(*names, "empty.test").error().code, ErrorCode::not_found);
  EXPECT_THAT(ask(*names, "zero.test").error().message, HasSubstr("0.0.0.0"));
  EXPECT_EQ(ask(*names, std::string(70, 'x') + ".test").error().code, ErrorCode::not_found);
}

TEST_F(ResolverTest, FailuresThatMayPassAreNotRemembered) {
  server_.at("broken.test", 1).response_code = 2;
  server_.at("broken.test", 28).response_code = 3;
  const auto names = resolver();
  EXPECT_EQ(ask(*names, "broken.test").error().code, ErrorCode::io);
  EXPECT_EQ(ask(*names, "silent.test").error().code, ErrorCode::timeout);
  for (const char* name : {"broken.test", "silent.test"}) {
    server_.at(name, 1) = {0, {record(name, 1, 60, ipv4("192.0.2.1"))}};
    server_.at(name, 28) = {};
    EXPECT_TRUE(ask(*names, name).has_value()) << name;
  }
}

TEST_F(ResolverTest, ASilentAaaaDoesNotHoldUpTheAnswer) {
  settings_.timeout = 10s;
  settings_.other_family = 5ms;
  server_.at("half.test", 1).records = {record("half.test", 1, 60, ipv4("192.0.2.1"))};
  const auto names = resolver();
  const SteadyTime start = system_clock().steady();
  const auto answer = ask(*names, "half.test");
  EXPECT_TRUE(answer.has_value());
  EXPECT_LT(system_clock().steady() - start, 5s);
}

TEST_F(ResolverTest, ManyWhoAskAtOnceShareOneQuery) {
  server_.at("a.test", 1).records = {record("a.test", 1, 60, ipv4("192.0.2.1"))};
  settings_.ipv6 = false;
  const auto names = resolver();
  int answers = 0;
  const auto one = [&]() -> Task<void> {
    const auto answer = co_await names->resolve("a.test");
    if (answer && answer->addresses.size() == 1) ++answers;
  };
  const auto body = [&]() -> Task<void> {
    aio::Nursery nursery;
    for (int i = 0; i < 100; ++i) nursery.spawn(one());
    co_await nursery.join();
  };
  run_to_end(*loop_, body());
  EXPECT_EQ(answers, 100);
  EXPECT_EQ(server_.questions(), 1);
}

TEST_F(ResolverTest, ManyNamesAtOnce) {
  settings_.timeout = 5s;
  for (int i = 0; i < 60; ++i) {
    const std::string name = "h" + std::to_string(i) + ".test";
    server_.at(name, 1).records = {record(name, 1, 60, ipv4("192.0.2.1"))};
    server_.at(name, 28);
  }
  const auto names = resolver();
  int answers = 0;
  const auto one = [&](int i) -> Task<void> {
    const std::string name = "h" + std::to_string(i) + ".test";
    const auto answer = co_await names->resolve(name);
    if (answer) ++answers;
  };
  const auto body = [&]() -> Task<void> {
    aio::Nursery nursery;
    for (int i = 0; i < 60; ++i) nursery.spawn(one(i));
    co_await nursery.join();
  };
  run_to_end(*loop_, body());
  EXPECT_EQ(answers, 60);
}

TEST_F(ResolverTest, AnswersItselfWhatItKnows) {
  settings_.hosts = {"Fixed.test=192.0.2.9, 2001:DB8::9", "localhost=127.9.9.9"};
  const auto names = resolver();
  EXPECT_THAT(ask(*names, "fixed.test")->addresses,
              ElementsAre(Address("192.0.2.9", false), Address("2001:db8::9", true)));
  EXPECT_THAT(ask(*names, "localhost")->addresses, ElementsAre(Address("127.9.9.9", false)));
  EXPECT_THAT(ask(*names, "a.localhost")->addresses, ElementsAre(Address("127.0.0.1", false), Address("::1", true)));
  EXPECT_THAT(ask(*names, "192.0.2.44")->addresses, ElementsAre(Address("192.0.2.44", false)));
  EXPECT_THAT(ask(*names, "[2001:db8::1]")->addresses, ElementsAre(Address("2001:db8::1", true)));
  EXPECT_TRUE(ask(*names, "192.0.2.44")->records.empty());
  EXPECT_EQ(server_.questions(), 0);
}

TEST_F(ResolverTest, WrongSettingsAreRefused) {
  for (const char* host : {"nothing", "=192.0.2.1", "a=", "a=b", "a=192.0.2.1,"}) {
    Settings wrong = settings_;
    wrong.hosts = {host};
    const auto made = make_resolver(*loop_, wrong);
    ASSERT_FALSE(made.has_value()) << host;
    EXPECT_EQ(made.error().code, ErrorCode::config);
  }
  Settings wrong = settings_;
  wrong.servers = {"ns.example.org"};
  EXPECT_FALSE(make_resolver(*loop_, wrong).has_value());
}

TEST(DnsSettings, NameServersAreAddresses) {
  for (const char* good : {"192.0.2.53", "192.0.2.53:5353", "2001:db8::53", "[2001:db8::53]", "[2001:db8::53]:53",
                           "fe80::1%eth0", "[fe80::1%eth0]:53"})
    EXPECT_TRUE(check_server(good)) << good;
  for (const char* bad :
       {"", "dns.example", "192.0.2", "192.0.2.53:", "192.0.2.53:0", "192.0.2.53:65536", "192.0.2.53:+5",
        "192.0.2.53,192.0.2.54", " 192.0.2.53", "192.0.2.53\n", "[2001:db8::53", "[192.0.2.53]:53", "[2001:db8::53]53",
        "fe80::1%", "fe80::1%a b", "::1:x", "192.0.2.53:53:53"})
    EXPECT_FALSE(check_server(bad)) << bad;
  EXPECT_FALSE(check_server(std::string_view("192.0.2.53\0", 11)));
}

TEST(DnsSettings, FixedHostsAreNamesAndAddresses) {
  for (const char* good : {"a.test=192.0.2.1", "A.test.=192.0.2.1,2001:db8::1",
                           "xn--bcher-kva.example = 192.0.2.1 , ::1", "my_host=192.0.2.1"})
    EXPECT_TRUE(check_fixed_host(good)) << good;
  for (const char* bad :
       {"", "a.test", "=192.0.2.1", "a.test=", "a.test=b.test", "a.test=192.0.2.1,", "a b=192.0.2.1",
        "http://a.test/=192.0.2.1", "a.test:80=192.0.2.1", "b\xc3\xbc.test=192.0.2.1", "a..test=192.0.2.1",
        ".test=192.0.2.1", "a.test\n=192.0.2.1", "a.test=192.0.2.1\x01", "*.test=192.0.2.1"})
    EXPECT_FALSE(check_fixed_host(bad)) << bad;
  EXPECT_FALSE(check_fixed_host(std::string(254, 'a') + "=192.0.2.1"));
}

TEST_F(ResolverTest, GoesWithQueriesUnderWay) {
  settings_.timeout = 10s;
  settings_.other_family = 5ms;
  server_.at("half.test", 1).records = {record("half.test", 1, 60, ipv4("192.0.2.1"))};
  auto names = resolver();
  EXPECT_TRUE(ask(*names, "half.test").has_value());  // its AAAA question is still open
  names.reset();
}

// Answers by the name and the type of a question; what it has no answer for fails.
class ScriptedTransport final : public Transport {
 public:
  struct State {
    std::map<std::pair<std::string, int>, Reply> replies;
    int questions = 0, failures = 0;  // so many questions fail first
    bool is_aborted = false;
  };
  explicit ScriptedTransport(State& state) : state_(state) {}

  Task<Result<Reply>> ask(std::string message) override {
    ++state_.questions;
    const std::string name = message.substr(12, message.find('\0', 12) - 11);
    const auto reply = state_.replies.find({name, message[12 + name.size() + 1]});
    if (state_.failures-- > 0) co_return fail(ErrorCode::timeout, "too slow");
    if (reply == state_.replies.end()) co_return fail(ErrorCode::io, "no answer");
    co_return reply->second;
  }
  std::string server() const override { return "192.0.2.53"; }
  void abort() override { state_.is_aborted = true; }

 private:
  State& state_;
};

std::string reply_with(int response_code, const std::vector<std::string>& records) {
  std::string message = "\0\0\x81"s + static_cast<char>(0x80 | response_code) + "\0\0\0"s +
                        static_cast<char>(records.size()) + "\0\0\0\0"s;
  for (const std::string& text : records) message += text;
  return message;
}

TEST_F(ResolverTest, AsksByATransport) {
  ScriptedTransport::State state;
  settings_.ttl_floor = Duration::zero();
  const auto set = [&](const std::string& name, int type, std::string message, uint32_t age = 0) {
    state.replies[{wire_name(name), type}] = {std::move(message), age};
  };
  set("a.test", 1, reply_with(0, {record("a.test", 1, 60, ipv4("192.0.2.1"))}), 20);
  set("a.test", 28, reply_with(0, {}));
  for (const int type : {1, 28}) {
    set("none.test", type, reply_with(3, {}));
    set("ill.test", type, reply_with(2, {}));
    set("cut.test", type, reply_with(0, {"x"}));
  }
  state.failures = 1;
  auto made = make_resolver(*loop_, settings_, std::make_unique<ScriptedTransport>(state));
  ASSERT_TRUE(made.has_value());
  Resolver& names = **made;
  const auto answer = ask(names, "a.test");
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  EXPECT_THAT(answer->addresses, ElementsAre(Address("192.0.2.1", false)));
  EXPECT_EQ(answer->ttl, 40s) << "20 s of its minute are over";
  EXPECT_EQ(answer->server, "192.0.2.53");
  EXPECT_THAT(answer->records, ElementsAre("a.test.\t40\tIN\tA\t192.0.2.1"));
  EXPECT_EQ(state.questions, 3) << "the one that failed was asked again";
  EXPECT_TRUE(ask(names, "a.test")->from_cache);
  EXPECT_EQ(ask(names, "none.test").error().code, ErrorCode::not_found);
  EXPECT_EQ(state.questions, 5) << "that there is no such name is an answer";
  EXPECT_EQ(ask(names, "ill.test").error().code, ErrorCode::io);
  EXPECT_EQ(state.questions, 5 + 2 * settings_.tries);
  EXPECT_EQ(ask(names, "cut.test").error().code, ErrorCode::parse);
  EXPECT_EQ(ask(names, "other.test").error().code, ErrorCode::io);
  EXPECT_EQ(ask(names, std::string(70, 'a') + ".test").error().code, ErrorCode::not_found);
  const auto end = [&]() -> Task<void> { co_await names.end(); };
  run_to_end(*loop_, end());
  EXPECT_TRUE(state.is_aborted);
}

TEST(DnsSettings, ServersOverHttpsAreUrls) {
  for (const char* good :
       {"", "https://dns.example/dns-query", "https://192.0.2.53/", "https://[2001:db8::53]:8443/q?a=b"})
    EXPECT_TRUE(check_https_server(good)) << good;
  for (const char* bad : {"http://dns.example/", "dns.example", "https://", "https://me:secret@dns.example/",
                          "https://dns.example/#x", "\n"})
    EXPECT_FALSE(check_https_server(bad)) << bad;
}

TEST(TableResolver, AnswersFromItsTable) {
  const ManualClock clock;
  const auto loop = aio::make_loop(system_clock());
  std::map<std::string, std::vector<std::string>> hosts;
  hosts["a.test"] = {"192.0.2.1", "2001:db8::1"};
  const auto names = make_table_resolver(clock, hosts);
  const auto body = [&]() -> Task<void> {
    const auto answer = co_await names->resolve("A.test");
    EXPECT_THAT(answer->records,
                ElementsAre("a.test.\t21600\tIN\tA\t192.0.2.1", "a.test.\t21600\tIN\tAAAA\t2001:db8::1"));
    const auto none = co_await names->resolve("b.test");
    EXPECT_EQ(none.error().code, ErrorCode::not_found);
  };
  run_to_end(*loop, body());
}

}  // namespace
}  // namespace caddis::dns
