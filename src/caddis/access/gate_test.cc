#include "caddis/access/gate.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "caddis/access/digest_check.h"
#include "caddis/access/log_outs.h"
#include "caddis/access/standing.h"
#include "caddis/access/user_store.h"
#include "caddis/aio/nursery.h"
#include "caddis/aio/sim.h"
#include "caddis/base/strings.h"
#include "caddis/http/fields.h"
#include "caddis/io/memory_files.h"

namespace caddis::access {
namespace {

using namespace std::chrono_literals;
using Json = nlohmann::json;

struct Asked {
  std::string method = "GET", path = "/api/jobs", body = {};
  http::ServerHeaders headers = {};
  std::string from = "127.0.0.1";
  bool tls = false;
};

std::string header_of(const http::ServerResponse& response, std::string_view name) {
  for (const auto& [header, value] : response.headers)
    if (header == name) return value;
  return {};
}

class GateTest : public testing::Test {
 protected:
  void SetUp() override {
    UserStore store(files_, "/d/users");
    const auto made = store.change([&](UserFile& file) -> Result<void> {
      for (const auto& [name, role] :
           {std::pair{"ada", Role::admin}, {"otto", Role::manager}, {"vera", Role::viewer}}) {
        TRY(User user, make_user(name, role, std::string(name) + "-password", role != Role::viewer));
        TRY_VOID(add_user(file, std::move(user)));
      }
      TRY(token_, add_token(file, "otto", Role::viewer, loop_.clock().wall() + 1h, "board"));
      return {};
    });
    ASSERT_TRUE(made.has_value()) << made.error().message;
    GateOptions options{.users_file = "/d/users",
                        .audit_file = "/d/audit.log",
                        .names = {"crawler.example"},
                        .token = {},
                        .makes_admin = false,
                        .keeps_digest = false,
                        .log_outs = log_outs_,
                        .proxies = {"192.0.2.0/28"},
                        .digest_prefix = "/engine"};
    auto gate = Gate::open({loop_, *workers_, files_}, std::move(options));
    ASSERT_TRUE(gate.has_value()) << gate.error().message;
    gate_ = *std::move(gate);
  }

  template <class T>
  T run(aio::Task<T> task) {
    std::optional<T> got;
    aio::Nursery nursery;
    nursery.spawn(keep(std::move(task), got));
    loop_.run();
    return *std::move(got);
  }
  template <class T>
  static aio::Task<void> keep(aio::Task<T> task, std::optional<T>& got) {
    got = co_await std::move(task);
  }

  static http::ServerRequest request(Asked asked) {
    http::ServerRequest made;
    made.method = asked.method;
    made.target = asked.path;
    const size_t query = asked.path.find('?');
    made.path = asked.path.substr(0, query);
    if (query != std::string::npos) made.query = asked.path.substr(query + 1);
    made.headers = asked.headers;
    if (made.header("Host").empty()) made.headers.emplace_back("Host", "127.0.0.1:8443");
    made.body = asked.body;
    made.remote = {asked.from, 50000};
    made.tls = asked.tls;
    return made;
  }

  // Through the whole gate; what lies behind answers 200 with the name of who asked.
  http::ServerResponse ask(Asked asked, Role needed = Role::viewer) {
    const http::ServerRequest made = request(std::move(asked));
    const Answer behind = [](const http::ServerRequest&, const Identity& who) -> aio::Task<http::ServerResponse> {
      co_return http::text_response(200, fmt::format("{} {}", who.name, to_string(who.role)));
    };
    return run(gate_->answer(made, needed, behind));
  }
  int status(Asked asked, Role needed = Role::viewer) { return ask(std::move(asked), needed).status; }

  void pass_time(Duration time) { run(sleep(time)); }
  aio::Task<int> sleep(Duration time) {
    co_await aio::sleep_for(loop_, time);
    co_return 0;
  }

  // The cookie of a log-in.
  std::string log_in(const std::string& name) {
    const auto response = ask({.method = "POST",
                               .path = "/login",
                               .body = fmt::format(R"({{"name":"{}","password":"{}-password"}})", name, name)});
    EXPECT_EQ(response.status, 200) << response.body;
    csrf_ = Json::parse(response.body).at("csrf");
    const std::string set = header_of(response, "Set-Cookie");
    return set.substr(0, set.find(';'));
  }
  static std::pair<std::string, std::string> bearer(const std::string& token) {
    return {"Authorization", "Bearer " + token};
  }

  std::string digest(const std::string& challenge, const std::string& name, uint32_t count, const std::string& target) {
    DigestFields fields{.username = name,
                        .realm = "caddis",
                        .nonce = {},
                        .uri = target,
                        .response = {},
                        .algorithm = "SHA-256",
                        .cnonce = "abc",
                        .qop = "auth",
                        .count = count};
    const size_t begin = challenge.find("nonce=\"") + 7;
    fields.nonce = challenge.substr(begin, challenge.find('"', begin) - begin);
    fields.response = digest_response(digest_secrets(name, name + "-password"), fields, "GET");
    return fmt::format(
        R"(Digest username="{}", realm="caddis", nonce="{}", uri="{}", algorithm=SHA-256, cnonce="abc", nc={:08x}, qop=auth, response="{}")",
        name, fields.nonce, target, count, fields.response);
  }

  aio::SimLoop loop_{1};
  io::MemoryFiles files_;
  const std::shared_ptr<LogOuts> log_outs_ = std::make_shared<LogOuts>();
  std::unique_ptr<aio::Blocking> workers_ = aio::make_sim_blocking(loop_, 1ms);
  std::unique_ptr<Gate> gate_;
  NewToken token_;
  std::string csrf_;
};

TEST_F(GateTest, LetsNobodyInUnknown) {
  for (const char* method : {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"})
    for (const char* path : {"/", "/api/jobs", "/api/me", "/api/users", "/api/users/ada", "/api/tokens", "/logout"})
      EXPECT_EQ(status({.method = method, .path = path}), 401) << method << ' ' << path;
  const auto led = ask({.path = "/jobs?a=1", .headers = {{"Accept", "text/html,*/*"}}});
  EXPECT_EQ(led.status, 303);
  EXPECT_EQ(header_of(led, "Location"), "/login?next=%2Fjobs%3Fa%3D1");
  EXPECT_EQ(status({.path = "/login"}), 200);
}

TEST_F(GateTest, SessionsComeByACookie) {
  const std::string cookie = log_in("vera");
  EXPECT_TRUE(cookie.starts_with("caddis_8443=")) << cookie;
  EXPECT_EQ(trim(ask({.headers = {{"Cookie", "a=b; " + cookie}}}).body), "vera viewer");
  EXPECT_EQ(status({.headers = {{"Cookie", cookie}}}, Role::manager), 403);
  EXPECT_EQ(status({.headers = {{"Cookie", cookie + "0"}}}), 401);
  const auto response =
      ask({.method = "POST", .path = "/login", .body = R"({"name":"ada","password":"ada-password"})", .tls = true});
  const std::string set = header_of(response, "Set-Cookie");
  for (const char* part : {"__Host-caddis_8443=", "; Path=/", "; HttpOnly", "; SameSite=Strict", "; Secure"})
    EXPECT_NE(set.find(part), std::string::npos) << set;
  EXPECT_EQ(header_of(response, "Cache-Control"), "no-store");
  pass_time(13h);
  EXPECT_EQ(status({.headers = {{"Cookie", cookie}}}), 401);
}

TEST_F(GateTest, ChangesOfASessionSayThatTheyAreOurs) {
  const std::pair<std::string, std::string> cookie{"Cookie", log_in("otto")};
  EXPECT_EQ(status({.method = "POST", .headers = {cookie}}), 403);
  EXPECT_EQ(status({.method = "POST", .headers = {cookie, {"X-Caddis-CSRF", "guessed"}}}), 403);
  EXPECT_EQ(status({.method = "POST", .headers = {cookie, {"X-Caddis-CSRF", csrf_}}}), 200);
  EXPECT_EQ(status({.method = "POST", .headers = {cookie, {"Origin", "http://127.0.0.1:8443"}}}), 200);
  for (const char* origin : {"http://evil.example", "null", "https://127.0.0.1:8443", "http://127.0.0.1:1"})
    EXPECT_EQ(status({.method = "POST", .headers = {cookie, {"X-Caddis-CSRF", csrf_}, {"Origin", origin}}}), 403)
        << origin;
  EXPECT_EQ(status({.method = "POST", .headers = {cookie, {"X-Caddis-CSRF", csrf_}, {"Sec-Fetch-Site", "cross-site"}}}),
            403);
}

TEST_F(GateTest, AnswersUnderItsOwnNames) {
  const auto token = bearer(token_.secret);
  for (const auto& [host, expected] : {std::pair{"127.0.0.1:8443", 200},
                                       {"crawler.example", 200},
                                       {"localhost:1", 200},
                                       {"evil.example", 421},
                                       {"127.0.0.1.evil.example:8443", 421}}) {
    EXPECT_EQ(status({.headers = {token, {"Host", host}}}), expected) << host;
    EXPECT_EQ(status({.path = "/login", .headers = {{"Host", host}}}), expected) << host;
  }
}

TEST_F(GateTest, TokensExpireAndAreRevoked) {
  const auto token = bearer(token_.secret);
  EXPECT_EQ(trim(ask({.headers = {token}}).body), "otto viewer");
  EXPECT_EQ(status({.headers = {token}}, Role::manager), 403) << "its role, not that of its user";
  EXPECT_EQ(status({.headers = {bearer(token_.secret + "0")}}), 401);
  EXPECT_EQ(status({.headers = {bearer("")}}), 401);
  EXPECT_EQ(status({.method = "POST", .headers = {token}}), 200) << "no browser sends it by itself";
  pass_time(2h);
  EXPECT_EQ(status({.headers = {token}}), 401);
}

TEST_F(GateTest, BasicIsTakenAndWrongPasswordsWait) {
  const auto basic = [](const char* name, const char* password) -> std::pair<std::string, std::string> {
    return {"Authorization", http::basic_credentials(name, password)};
  };
  EXPECT_EQ(trim(ask({.path = "/engine", .headers = {basic("otto", "otto-password")}}).body), "otto operator");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(status({.headers = {basic("otto", "no")}, .from = "192.0.2.1"}), 401);
  }
  const auto waits = ask({.headers = {basic("otto", "otto-password")}, .from = "192.0.2.1"});
  EXPECT_EQ(waits.status, 429);
  EXPECT_EQ(header_of(waits, "Retry-After"), "1");
  pass_time(2s);
  EXPECT_EQ(status({.headers = {basic("otto", "otto-password")}, .from = "192.0.2.1"}), 200);
  EXPECT_EQ(status({.headers = {basic("nobody", "otto-password")}, .from = "192.0.2.9"}), 401);
}

TEST_F(GateTest, CountsTheClientsOfProxies) {
  const auto tries = [&](const char* name, const char* password, const char* client, const char* proxy) {
    return status({.headers = {{"Authorization", http::basic_credentials(name, password)}, {"X-Forwarded-For", client}},
                   .from = proxy});
  };
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(tries("nobody", "no", "198.51.100.7", "192.0.2.1"), 401);
  }
  EXPECT_EQ(tries("ada", "ada-password", "198.51.100.7", "192.0.2.1"), 429);
  EXPECT_EQ(tries("ada", "ada-password", "198.51.100.7:4711", "192.0.2.1"), 429) << "some proxies write a port";
  EXPECT_EQ(tries("ada", "ada-password", "198.51.100.8", "192.0.2.1"), 200) << "another client of that proxy";
  EXPECT_EQ(tries("ada", "ada-password", "[2001:db8::5]:4711", "192.0.2.1"), 200);
  EXPECT_EQ(tries("ada", "ada-password", "[2001:db8::5", "192.0.2.1"), 200);
  EXPECT_EQ(tries("ada", "ada-password", "198.51.100.7", "203.0.113.1"), 200) << "whoever is no proxy is not believed";
  const std::string audit = *files_.read_all("/d/audit.log");
  EXPECT_NE(audit.find("198.51.100.7"), std::string::npos) << audit;
  EXPECT_EQ(audit.find("192.0.2.1\""), std::string::npos) << audit;
}

TEST_F(GateTest, DigestIsAskedForBelowEngine) {
  const auto asks = ask({.path = "/engine/job/a"});
  ASSERT_EQ(asks.status, 401);
  std::vector<std::string> challenges;
  for (const auto& [name, value] : asks.headers)
    if (name == "WWW-Authenticate") challenges.push_back(value);
  ASSERT_EQ(challenges.size(), 3u);
  EXPECT_NE(challenges[0].find("SHA-256"), std::string::npos);
  EXPECT_NE(challenges[1].find("MD5"), std::string::npos);
  EXPECT_TRUE(challenges[2].starts_with("Basic "));
  const auto shown = [&](const std::string& name, uint32_t count) -> http::ServerHeaders {
    return {{"Authorization", digest(challenges[0], name, count, "/engine/job/a")}};
  };
  EXPECT_EQ(trim(ask({.path = "/engine/job/a", .headers = shown("otto", 1)}).body), "otto operator");
  const auto replayed = ask({.path = "/engine/job/a", .headers = shown("otto", 1)});
  EXPECT_EQ(replayed.status, 401);
  EXPECT_NE(header_of(replayed, "WWW-Authenticate").find("stale=true"), std::string::npos);
  EXPECT_EQ(status({.path = "/engine/job/b", .headers = shown("otto", 2)}), 401) << "made for another path";
  EXPECT_EQ(status({.path = "/engine/job/a", .headers = shown("vera", 3)}), 401) << "has nothing kept for Digest";
}

TEST_F(GateTest, AdminsKeepUsers) {
  const std::pair<std::string, std::string> cookie{"Cookie", log_in("ada")}, csrf{"X-Caddis-CSRF", csrf_};
  const auto made = ask({.method = "POST",
                         .path = "/api/users",
                         .body = R"({"name":"nick","role":"operator"})",
                         .headers = {cookie, csrf}});
  ASSERT_EQ(made.status, 201) << made.body;
  const std::string password = Json::parse(made.body).at("password");
  const std::pair<std::string, std::string> nick{"Authorization", http::basic_credentials("nick", password)};
  EXPECT_EQ(status({.headers = {nick}}, Role::manager), 200);
  EXPECT_EQ(status({.path = "/api/users", .headers = {nick}}), 403);
  EXPECT_EQ(
      status({.method = "PUT", .path = "/api/users/nick", .body = R"({"role":"viewer"})", .headers = {cookie, csrf}}),
      200);
  EXPECT_EQ(status({.headers = {nick}}, Role::manager), 403);
  EXPECT_EQ(
      status({.method = "PUT", .path = "/api/users/nick", .body = R"({"role":"king"})", .headers = {cookie, csrf}}),
      400);
  EXPECT_EQ(
      status({.method = "PUT", .path = "/api/users/ada", .body = R"({"role":"viewer"})", .headers = {cookie, csrf}}),
      409);
  EXPECT_EQ(status({.method = "DELETE", .path = "/api/users/nick", .headers = {cookie, csrf}}), 200);
  EXPECT_EQ(status({.headers = {nick}}), 401);
  const auto list = Json::parse(ask({.path = "/api/users", .headers = {cookie}}).body);
  EXPECT_EQ(list.at("users").size(), 3u);
}

TEST_F(GateTest, BodiesOfJsonNeedNoType) {
  const std::pair<std::string, std::string> cookie{"Cookie", log_in("ada")}, csrf{"X-Caddis-CSRF", csrf_};
  const std::pair<std::string, std::string> type{"Content-Type", "application/x-www-form-urlencoded"};
  const auto token = ask({.method = "POST",
                          .path = "/api/tokens",
                          .body = "\n {\"user\":\"otto\",\"role\":\"operator\",\"days\":1,\"purpose\":\"a=b&c\"}",
                          .headers = {cookie, csrf, type}});
  ASSERT_EQ(token.status, 201) << token.body;
  const Json made = Json::parse(token.body);
  EXPECT_EQ(made.at("user"), "otto");
  EXPECT_EQ(made.at("role"), "operator");
  EXPECT_EQ(made.at("purpose"), "a=b&c");
  EXPECT_TRUE(made.at("expires").is_string()) << token.body;
  const auto form = ask({.method = "POST",
                         .path = "/api/tokens",
                         .body = "role=viewer&purpose=%7Ba+form",
                         .headers = {cookie, csrf, type}});
  EXPECT_EQ(Json::parse(form.body).at("purpose"), "{a form");
  const auto user =
      ask({.method = "POST", .path = "/api/users", .body = R"({"name":"nick"})", .headers = {cookie, csrf, type}});
  ASSERT_EQ(user.status, 201) << user.body;
  EXPECT_EQ(Json::parse(user.body).at("name"), "nick");
}

TEST_F(GateTest, UnknownFieldsAreRefused) {
  const std::pair<std::string, std::string> cookie{"Cookie", log_in("ada")}, csrf{"X-Caddis-CSRF", csrf_};
  const auto refused = [&](const char* method, const char* path, const char* body, const char* type) {
    const auto answer =
        ask({.method = method, .path = path, .body = body, .headers = {cookie, csrf, {"Content-Type", type}}});
    EXPECT_NE(answer.body.find("'expires'"), std::string::npos) << path << answer.body;
    return answer.status;
  };
  const char *json = "application/json", *form = "application/x-www-form-urlencoded";
  EXPECT_EQ(refused("POST", "/api/tokens", R"({"role":"viewer","expires":"2027-01-01"})", json), 400);
  EXPECT_EQ(refused("POST", "/api/tokens", "role=viewer&expires=2027-01-01", form), 400);
  EXPECT_EQ(refused("POST", "/api/users", R"({"name":"nick","expires":null})", json), 400);
  EXPECT_EQ(refused("PUT", "/api/users/vera", R"({"role":"viewer","expires":1})", json), 400);
  EXPECT_EQ(refused("PUT", "/api/me/password", R"({"old":"ada-password","new":"another one","expires":1})", json), 400);
  EXPECT_EQ(Json::parse(ask({.path = "/api/tokens", .headers = {cookie}}).body).at("tokens").size(), 1u);
  EXPECT_EQ(Json::parse(ask({.path = "/api/users", .headers = {cookie}}).body).at("users").size(), 3u);
}

TEST_F(GateTest, EverybodyKeepsTheirOwnTokensAndPassword) {
  const std::pair<std::string, std::string> cookie{"Cookie", log_in("vera")}, csrf{"X-Caddis-CSRF", csrf_};
  EXPECT_EQ(status({.method = "POST", .path = "/api/tokens", .body = R"({"role":"admin"})", .headers = {cookie, csrf}}),
            403);
  EXPECT_EQ(status({.method = "POST", .path = "/api/tokens", .body = R"({"user":"otto"})", .headers = {cookie, csrf}}),
            403);
  const auto made = ask({.method = "POST", .path = "/api/tokens", .body = R"({"days":1})", .headers = {cookie, csrf}});
  ASSERT_EQ(made.status, 201) << made.body;
  const Json token = Json::parse(made.body);
  EXPECT_EQ(trim(ask({.headers = {bearer(token.at("token"))}}).body), "vera viewer");
  EXPECT_EQ(status({.method = "POST", .path = "/api/tokens", .body = "{}", .headers = {bearer(token.at("token"))}}),
            403);
  EXPECT_EQ(Json::parse(ask({.path = "/api/tokens", .headers = {cookie}}).body).at("tokens").size(), 1u)
      << "otto's is not shown";
  EXPECT_EQ(status({.method = "DELETE", .path = "/api/tokens/" + token_.token.id, .headers = {cookie, csrf}}), 404);
  EXPECT_EQ(
      status({.method = "DELETE", .path = "/api/tokens/" + std::string(token.at("id")), .headers = {cookie, csrf}}),
      200);
  EXPECT_EQ(status({.headers = {bearer(token.at("token"))}}), 401);
  const auto change = [&](const char* body) {
    return status({.method = "PUT", .path = "/api/me/password", .body = body, .headers = {cookie, csrf}});
  };
  EXPECT_EQ(change(R"({"old":"no","new":"another one"})"), 403);
  EXPECT_EQ(change(R"({"old":"vera-password","new":"short"})"), 400);
  EXPECT_EQ(change(R"({"old":"vera-password","new":"another one"})"), 200);
  EXPECT_EQ(status({.headers = {cookie}}), 401) << "the log-in has ended with the password";
}

TEST_F(GateTest, LogOutEndsTheSession) {
  const std::pair<std::string, std::string> cookie{"Cookie", log_in("vera")};
  EXPECT_EQ(status({.method = "POST", .path = "/logout", .headers = {cookie}}), 403);
  EXPECT_EQ(status({.method = "POST", .path = "/logout", .headers = {cookie, {"X-Caddis-CSRF", csrf_}}}), 200);
  EXPECT_EQ(status({.headers = {cookie}}), 401);
  EXPECT_EQ(log_outs_->of("vera"), 1u);
  EXPECT_EQ(log_outs_->of("ada"), 0u);
}

TEST_F(GateTest, AStandingEndsWithALogOut) {
  UserStore users(files_, "/d/users");
  const std::string before = standing_of(users, *log_outs_, "vera", Role::viewer);
  const std::string of_other = standing_of(users, *log_outs_, "ada", Role::admin);
  EXPECT_NE(before, "");
  EXPECT_EQ(standing_of(users, *log_outs_, "vera", Role::viewer), before);
  log_outs_->add("vera");
  EXPECT_NE(standing_of(users, *log_outs_, "vera", Role::viewer), before);
  EXPECT_EQ(standing_of(users, *log_outs_, "ada", Role::admin), of_other);
  EXPECT_EQ(standing_of(users, *log_outs_, "nobody", Role::viewer), "");
}

TEST_F(GateTest, TheStandingAtAdmissionIsThatBeforeALogOut) {
  UserStore users(files_, "/d/users");
  const Identity vera{"vera", Role::viewer};
  const std::string admitted = gate_->standing_of(vera);
  EXPECT_EQ(admitted, standing_of(users, *log_outs_, "vera", Role::viewer));
  log_outs_->add("vera");
  EXPECT_NE(admitted, standing_of(users, *log_outs_, "vera", Role::viewer));
  EXPECT_EQ(gate_->standing_of({"nobody", Role::viewer}), "");
}

TEST_F(GateTest, TheFormLeadsBackToOwnPagesOnly) {
  const auto led = [&](const std::string& next) {
    return header_of(ask({.method = "POST",
                          .path = "/login",
                          .body = "name=ada&password=ada-password&next=" + next,
                          .headers = {{"Content-Type", "application/x-www-form-urlencoded"}}}),
                     "Location");
  };
  EXPECT_EQ(led("%2Fjobs%3Fa"), "/jobs?a");
  for (const char* next :
       {"", "https://evil.example/", "//evil.example/", "/%5Cevil.example", "/a%0d%0ab", "javascript:1"})
    EXPECT_EQ(led(next), "/") << next;
  EXPECT_EQ(status({.method = "POST", .path = "/login", .body = "[1]"}), 400);
  EXPECT_EQ(status({.method = "POST", .path = "/login", .body = std::string(100'000, 'a')}), 409);
}

TEST_F(GateTest, ChangesAndLogInsAreWrittenDown) {
  const std::pair<std::string, std::string> cookie{"Cookie", log_in("otto")}, csrf{"X-Caddis-CSRF", csrf_};
  EXPECT_EQ(status({.method = "POST", .path = "/api/jobs?a=secret", .headers = {cookie, csrf}}), 200);
  EXPECT_EQ(status({.path = "/api/jobs", .headers = {cookie}}), 200);
  EXPECT_EQ(status({.method = "POST", .path = "/login", .body = R"({"name":"otto","password":"hunter22"})"}), 401);
  const auto text = files_.read_all("/d/audit.log");
  ASSERT_TRUE(text.has_value());
  EXPECT_EQ(text->find("secret"), std::string::npos);
  EXPECT_EQ(text->find("hunter"), std::string::npos);
  std::vector<Json> lines;
  for (const std::string_view line : split(trim(*text), '\n')) lines.push_back(Json::parse(line));
  ASSERT_EQ(lines.size(), 3u) << *text;
  EXPECT_EQ(lines[0].at("what"), "log-in");
  EXPECT_EQ(lines[1].at("what"), "POST /api/jobs");
  EXPECT_EQ(lines[1].at("who"), "otto");
  EXPECT_EQ(lines[2].at("status"), 401);
}

TEST_F(GateTest, TheFileIsReadAgain) {
  UserStore other(files_, "/d/users");
  const auto token = bearer(token_.secret);
  EXPECT_EQ(status({.headers = {token}}), 200);
  ASSERT_TRUE(other.change([](UserFile& file) { return remove_user(file, "otto"); }).has_value());
  pass_time(2s);
  EXPECT_EQ(status({.headers = {token}}), 401);
}

TEST_F(GateTest, MakesTheFirstAdmin) {
  GateOptions options{.users_file = "/e/users",
                      .audit_file = {},
                      .names = {},
                      .token = "0123",
                      .makes_admin = false,
                      .keeps_digest = true,
                      .digest_prefix = "/engine"};
  options.proxies = {"proxy.example"};
  EXPECT_EQ(Gate::open({loop_, *workers_, files_}, options).error().code, ErrorCode::config);
  options.proxies = {};
  const auto refused = Gate::open({loop_, *workers_, files_}, options);
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().message.find("caddis users add"), std::string::npos);
  options.makes_admin = true;
  auto made = Gate::open({loop_, *workers_, files_}, options);
  ASSERT_TRUE(made.has_value()) << made.error().message;
  gate_ = *std::move(made);
  const std::string password = gate_->first_password();
  EXPECT_EQ(password.size(), 24u);
  EXPECT_EQ(trim(ask({.headers = {{"Authorization", http::basic_credentials("admin", password)}}}).body),
            "admin admin");
  EXPECT_EQ(trim(ask({.path = "/?token=0123"}).body), "token admin");
  EXPECT_EQ(trim(ask({.headers = {bearer("0123")}}).body), "token admin");
  EXPECT_EQ(status({.path = "/status?token=0123"}), 401);
  EXPECT_TRUE((*Gate::open({loop_, *workers_, files_}, options))->first_password().empty());
}

TEST_F(GateTest, MayTrustThisMachine) {
  GateOptions options;
  options.users_file = "/e/users";
  options.trusts_loopback = true;
  gate_ = *Gate::open({loop_, *workers_, files_}, options);
  EXPECT_EQ(trim(ask({.method = "POST"}, Role::admin).body), "loopback admin");
  EXPECT_EQ(status({.from = "192.0.2.1"}), 401);
  for (const char* field : {"X-Forwarded-For", "x-forwarded-for", "Forwarded", "X-Real-IP", "Via"}) {
    EXPECT_EQ(status({.headers = {{field, ""}}}), 401) << "a proxy of this machine";
    EXPECT_EQ(status({.headers = {{field, ""}, {"X-Forwarded-For", "192.0.2.1"}}}), 401);
  }
  EXPECT_EQ(status({.method = "POST", .headers = {{"Origin", "http://evil.example"}}}), 403);
  EXPECT_EQ(status({.method = "POST", .headers = {{"Sec-Fetch-Site", "cross-site"}}}), 403);
  EXPECT_EQ(status({.headers = {{"Host", "evil.example"}}}), 421);
}

}  // namespace
}  // namespace caddis::access
