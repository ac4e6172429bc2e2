// Every route of the API with the role that it needs: the gate asks for it, and so does the table.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/harvest/testing.h"
#include "caddis/harvestserver/routes.h"
#include "caddis/io/memory_files.h"

namespace caddis::harvestserver {
namespace {

using access::Role;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr Role kRoles[] = {Role::harvester, Role::viewer, Role::curator, Role::manager, Role::admin};

struct Needed {
  Role role = Role::none;
  bool steers = false;  // a curator does so with jobs of harvests of their own alone
};

const std::map<std::string, Needed>& needed() {
  static const std::map<std::string, Needed> all = [] {
    std::map<std::string, Needed> made;
    const auto add = [&](Role role, bool steers, std::initializer_list<const char*> routes) {
      for (const char* route : routes) made[route] = {role, steers};
    };
    add(Role::curator, false,
        {"POST /api/domains", "PUT /api/domains/{domain}", "POST /api/domains/{domain}/owners", "POST /api/schedules",
         "DELETE /api/schedules/{name}", "POST /api/traps", "DELETE /api/traps/{name}", "POST /api/harvests",
         "PUT /api/harvests/{harvest}", "DELETE /api/harvests/{harvest}", "POST /api/harvests/{harvest}/configurations",
         "POST /api/harvests/{harvest}/seeds", "POST /api/harvests/{harvest}/activate",
         "POST /api/harvests/{harvest}/deactivate", "POST /api/harvests/{harvest}/run", "POST /api/jobs/{job}/accept",
         "POST /api/jobs/{job}/reject", "POST /api/jobs/{job}/patch", "POST /api/jobs/{job}/seeds"});
    add(Role::curator, true,
        {"POST /api/harvests/{harvest}/withdraw", "POST /api/jobs/{job}/resubmit", "POST /api/jobs/{job}/stop",
         "POST /api/jobs/{job}/pause", "POST /api/jobs/{job}/resume", "POST /api/jobs/{job}/reject-failure",
         "POST /api/jobs/{job}/reopen-failure", "POST /api/jobs/{job}/withdraw", "POST /api/jobs/{job}/limits",
         "POST /api/jobs/{job}/traps", "POST /api/jobs/{job}/traps/take-back"});
    add(Role::manager, false,
        {"POST /api/channels", "DELETE /api/channels/{name}", "POST /api/fields", "DELETE /api/fields/{name}",
         "POST /api/templates", "GET /api/templates/{name}", "DELETE /api/templates/{name}",
         "POST /api/jobs/{job}/fail", "POST /api/jobs/{job}/frontier/delete",
         "POST /api/jobs/{job}/questions/{question}/give-up", "POST /api/stores/{store}/check",
         "POST /api/stores/{store}/repair", "DELETE /api/harvesters/{harvester}"});
    add(Role::viewer, false, {"POST /api/jobs/{job}/show"});
    add(Role::admin, false, {"POST /api/jobs/{job}/console"});
    return made;
  }();
  return all;
}

std::string path_of(const Route& route) {
  std::string path;
  for (const std::string_view part : split(route.path.substr(1), '/'))
    path += "/" + std::string(part == "{harvest}" ? "all" : part.starts_with('{') ? "1" : part);
  return path;
}

class RolesOf : public harvest::ArchiveTest {
 protected:
  void SetUp() override {
    ArchiveTest::SetUp();
    if (IsSkipped()) return;
    create({"a.example"});
    snapshot("all", {});
    ASSERT_TRUE(generate("all").value());
    store_ = std::make_unique<Store>(Store::open(files_, "/data").value());
    unpacked_ = std::make_unique<UnpackedJobs>(files_, "/data/unpacked");
    parts_ = std::make_unique<Parts>(database(), files_, clock, settings_, *store_, *unpacked_, "", "");
    parts_->look_now = [] {};
  }
  http::ServerResponse ask(const Route& route, Role role, const std::string& name, std::string body = "{}") {
    http::ServerRequest request;
    request.method = route.method;
    request.path = path_of(route);
    request.body = std::move(body);
    return ask(request, role, name);
  }
  http::ServerResponse ask(const http::ServerRequest& request, Role role, const std::string& name) {
    const access::Identity who{name, role};
    Call::Question question;
    Call call{*parts_, request, who};
    call.question = &question;
    return answer_by_tables(std::move(call));
  }
  std::string told(const std::string& method, const std::string& path, Role role, const std::string& body = "") {
    http::ServerRequest request;
    request.method = method;
    request.path = path;
    request.body = body;
    return ask(request, role, "carol").body;
  }
  void set_overrides(const std::string& overrides) {
    harvest::Domain one = domain("a.example");
    one.configurations[0].overrides = overrides;
    save(one);
  }

  io::MemoryFiles files_;
  const ServerSettings settings_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<UnpackedJobs> unpacked_;
  std::unique_ptr<Parts> parts_;
};
CADDIS_ON_BOTH_DATABASES(RolesOf);

TEST_P(RolesOf, ActivationNeedsAContact) {
  // The user who runs the test may have one.
  ::unsetenv("CADDIS_CONTACT");
  const std::string activate = "/api/harvests/all/activate";
  EXPECT_THAT(told("POST", activate, Role::curator), HasSubstr("harvest.contact is not set"));
  set_overrides("crawl: {contact: me@a.example}");
  EXPECT_THAT(told("POST", activate, Role::curator), Not(HasSubstr("harvest.contact")));
  set_overrides("");
  ::setenv("CADDIS_CONTACT", "me@a.example", 1);
  EXPECT_THAT(told("POST", activate, Role::curator), Not(HasSubstr("harvest.contact")));
  ::unsetenv("CADDIS_CONTACT");
}

TEST_P(RolesOf, EachRoute) {
  size_t found = 0;
  for (const Route& route : all_routes()) {
    const std::string name = fmt::format("{} {}", route.method, route.path);
    SCOPED_TRACE(name);
    http::ServerRequest request;
    request.method = route.method;
    request.path = path_of(route);
    const auto listed = needed().find(name);
    const bool is_of_harvesters = route.path.starts_with("/api/harvesters/") && listed == needed().end();
    if (listed != needed().end()) ++found;
    const Role least = listed != needed().end() ? listed->second.role
                       : is_of_harvesters       ? Role::harvester
                                                : Role::viewer;
    if (!is_of_harvesters && listed == needed().end()) {
      EXPECT_EQ(route.method, "GET") << "it changes something, and is not listed";
    }
    EXPECT_EQ(role_for(request), least);
    for (const Role role : kRoles) {
      const bool may = is_of_harvesters ? role == Role::harvester || role >= Role::manager
                                        : role >= least && role != Role::harvester;
      // Who may is tried where nothing is changed by it.
      if (may && (route.method != "GET" || is_of_harvesters)) continue;
      EXPECT_EQ(ask(route, role, "1").status == 403, !may) << to_string(role);
    }
    if (listed == needed().end() || !listed->second.steers) continue;
    const auto refused = ask(route, Role::curator, "bob");
    EXPECT_EQ(refused.status, 403);
    EXPECT_THAT(refused.body, AllOf(HasSubstr("alice has made"), HasSubstr("needs the role operator")));
    EXPECT_NE(ask(route, Role::curator, "alice").status, 403);
    EXPECT_NE(ask(route, Role::manager, "bob").status, 403);
  }
  EXPECT_EQ(found, needed().size());
}

TEST_P(RolesOf, HarvestersOfWhichNothingIsHeardAreLostAndCanBeRemoved) {
  done([&](sql::Connection& c) {
    harvest::HarvesterState one;
    one.name = "north";
    one.state = "ready";
    return harvest::hear_of_harvester(c, one, now());
  });
  const auto list = [&] { return told("GET", "/api/harvesters", Role::viewer); };
  const auto remove = [&] { return told("DELETE", "/api/harvesters/north", Role::manager); };
  EXPECT_THAT(list(), HasSubstr("\"state\":\"ready\""));
  EXPECT_THAT(remove(), HasSubstr("only one that is lost can be removed"));
  clock.advance(std::chrono::minutes(31));
  EXPECT_THAT(list(), AllOf(HasSubstr("\"state\":\"lost\""), HasSubstr("\"seen\":1700000000")));
  EXPECT_EQ(remove(), "{}");
  EXPECT_THAT(list(), HasSubstr("\"harvesters\":[]"));
  EXPECT_THAT(remove(), HasSubstr("there is no harvester"));
}

TEST_P(RolesOf, CuratorsSeeNoSecretsAndKeepThem) {
  set_overrides("fetch:\n  proxy: http://user:sesame@proxy.example:3128\n");
  const std::string curator = told("GET", "/api/domains/a.example", Role::curator);
  EXPECT_THAT(curator, AllOf(Not(HasSubstr("sesame")), HasSubstr("Hidden")));
  EXPECT_THAT(told("GET", "/api/domains/a.example", Role::manager), HasSubstr("sesame"));
  EXPECT_THAT(told("PUT", "/api/domains/a.example", Role::curator, curator), Not(HasSubstr("error")));
  EXPECT_THAT(domain("a.example").configurations[0].overrides, HasSubstr("sesame"));
  set_overrides("sheets: {a: {sites: [a.example], settings: {fetch: {headers: [\"Authorization: sesame\"]}}}}\n");
  EXPECT_THAT(told("GET", "/api/domains/a.example", Role::viewer),
              AllOf(Not(HasSubstr("sesame")), HasSubstr("Hidden")));
}

TEST_P(RolesOf, CuratorsSetHowFarAndHowPolitely) {
  const auto put = [&](Role role, const std::string& overrides) {
    std::string json = told("GET", "/api/domains/a.example", role);
    const std::string empty = "\"overrides\":\"\"";
    const size_t at = json.find(empty);
    return at == std::string::npos ? "no such field"
                                   : told("PUT", "/api/domains/a.example", role,
                                          json.replace(at, empty.size(), "\"overrides\":\"" + overrides + "\""));
  };
  EXPECT_THAT(put(Role::curator, "fetch: {allow-addresses: [127.0.0.0/8]}"),
              HasSubstr("the setting fetch.allow-addresses of a configuration needs the role operator"));
  for (const char* hidden :
       {"sheets: {a: {sites: [a.example], settings: {extract: {program: [/bin/true], program-urls: ['.']}}}}",
        "sheets: {a: {sites: [a.example], settings: {scope: {max-hops: 2}, fetch: {headers: ['X-Y: z']}}}}",
        "modules: {load: [/lib/nothing.so]}", "scope: {rules: ['accept url @/etc/passwd']}",
        "scope: {rules: [\\\"reject url @\\\\x2fetc/passwd\\\"]}", "fetch: {proxy: ''}", "extends: ./template.yaml",
        "limits: {min-free-space: 0}", "sheets: {a: {when: 'url @/etc/passwd', settings: {scope: {max-hops: 2}}}}"})
    EXPECT_THAT(put(Role::curator, hidden), HasSubstr("need")) << hidden;
  EXPECT_THAT(put(Role::curator, "sheets: {a: {sites: [a.example], settings: {scope: {max-hops: 2}}}}"),
              HasSubstr("max-hops: 2"));
  set_overrides("");
  EXPECT_THAT(put(Role::curator, "scope: {max-hops: 3}"), HasSubstr("max-hops: 3"));
  set_overrides("");
  EXPECT_THAT(put(Role::manager, "fetch: {allow-addresses: [127.0.0.0/8]}"), HasSubstr("allow-addresses"));
}

}  // namespace
}  // namespace caddis::harvestserver
