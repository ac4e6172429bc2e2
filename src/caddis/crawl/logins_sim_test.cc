// Logins in whole crawls of the simulated world: which hosts are told a password, what a login is a prerequisite of, and
// what becomes of it after deaths.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/collection/launch.h"
#include "sim/crawl.h"
#include "sim/requests.h"

namespace caddis::crawl {
namespace {

using namespace std::chrono_literals;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::SimCrawl;

constexpr const char* kAddress = "93.184.216.34";
constexpr std::string_view kPassword = "s3cret";

std::string field_in(const std::string& head, std::string_view name) {
  const std::string field = fmt::format("\r\n{}: ", name);
  const size_t at = head.find(field);
  if (at == std::string::npos) return "";
  const std::string rest = head.substr(at + field.size());
  return rest.substr(0, rest.find("\r\n"));
}

std::string page(std::string_view body, std::string_view fields = "") {
  return fmt::format("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n{}\r\n{}", body.size(),
                     fields, body);
}
std::string chunked_page(std::string_view body) {
  return fmt::format(
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{}\r\n0\r\n\r\n",
      body.size(), body);
}
std::string refused(std::string_view challenge) {
  return fmt::format("HTTP/1.1 401 No\r\nContent-Length: 0\r\nWWW-Authenticate: {}\r\n\r\n", challenge);
}
std::string redirect(std::string_view to, std::string_view fields = "") {
  return fmt::format("HTTP/1.1 302 Found\r\nLocation: {}\r\nContent-Length: 0\r\n{}\r\n", to, fields);
}

struct Asked {
  std::string url, cookie, authorization;
};

// Pages of a.test, www.a.test and b.test. www.a.test has a form, sent by GET; a session shows `uses` pages.
class MemberWeb {
 public:
  uint64_t uses = 3;
  std::string before_forms;  // of the pages with forms, which are chunked then
  std::vector<Asked> requests;
  std::map<std::string, uint64_t> sessions;

  Result<visit::Lane::Parts> parts(aio::SimLoop& loop, const aio::SimNetworkSettings& settings) {
    auto network = std::make_unique<aio::SimNetwork>(loop, settings);
    network->serve_rest([this](const aio::Endpoint&) -> aio::SimServer {
      return [this](std::unique_ptr<aio::Stream> stream) {
        return testing::answer_heads(std::move(stream), [this](const std::string& head) {
          requests.push_back({testing::url_of_request(head), field_in(head + "\r\n", "Cookie"),
                              field_in(head + "\r\n", "Authorization")});
          return testing::Answer{answer(requests.back()), false};
        });
      };
    });
    std::map<std::string, std::vector<std::string>> addresses;
    for (const char* host : {"a.test", "www.a.test", "b.test"}) addresses[host] = {kAddress};
    return visit::Lane::Parts{loop, std::move(network), dns::make_table_resolver(loop.clock(), addresses), 0};
  }
  std::vector<std::string> urls() const {
    std::vector<std::string> found;
    for (const Asked& one : requests)
      if (!one.url.ends_with("robots.txt")) found.push_back(one.url);
    return found;
  }

 private:
  std::string form_page(std::string_view form) const {
    return before_forms.empty() ? page(form) : chunked_page(before_forms + std::string(form));
  }
  std::string answer(const Asked& asked) {
    const std::string& url = asked.url;
    if (url.starts_with("http://www.a.test/login")) {
      if (!url.contains('?'))
        return form_page(
            "<form action=/login><input name=u><input type=password name=p><input type=hidden name=t value=1>");
      if (url != fmt::format("http://www.a.test/login?u=me&p={}&t=1", kPassword))
        return form_page("<form><input type=password name=p>");
      const std::string session = fmt::format("s{}", sessions.size() + 1);
      sessions[session] = 0;
      return redirect("/in", fmt::format("Set-Cookie: session={}; Domain=a.test\r\n", session));
    }
    if (url == "http://www.a.test/in") return page("welcome");
    if (url.starts_with("http://b.test/")) return refused("Basic realm=b");
    if (url == "http://a.test/") return page("<a href=/p0>0</a><a href=http://b.test/x>b</a>");
    if (!url.starts_with("http://a.test/p")) return "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
    const auto session = sessions.find(asked.cookie.substr(asked.cookie.find('=') + 1));
    if (session == sessions.end() || session->second >= uses) return page("who are you?");
    ++session->second;
    const int64_t number = *parse_int(url.substr(15));
    return page(number < 12 ? fmt::format("page {} <a href=/p{}>next</a>", number, number + 1) : "the end");
  }
};

class LoginsTest : public ::testing::Test {
 protected:
  LoginsTest() { prepare(crawl_, web_); }
  static void prepare(SimCrawl& crawl, MemberWeb& web) {
    crawl.make_parts = [&](aio::SimLoop& loop) { return web.parts(loop, crawl.network); };
    crawl.settings.crawl.seeds = {"http://a.test/"};
    crawl.settings.scope.kind = scope::ScopeKind::any;
    crawl.settings.memory.hosts = 0;
    crawl.settings.extract.favicon = false;
    crawl.settings.logins.site = "a.test";
    crawl.settings.logins.user = "me";
    crawl.settings.logins.password = kPassword;
    crawl.settings.logins.form = "http://www.a.test/login";
    crawl.settings.logins.check = "who are you";
  }
  void run() {
    ASSERT_TRUE(crawl_.live({}));
    EXPECT_EQ(crawl_.end().reason, EndReason::finished) << crawl_.end().text;
  }
  std::string file(const std::string& name) {
    return *crawl_.disk.files.read_all(
        (*collection::latest_launch(crawl_.disk.files, SimCrawl::kCollection))->folder() + "/" + name);
  }

  SimCrawl crawl_{1};
  MemberWeb web_;
};

TEST_F(LoginsTest, ComeBeforeTheFirstPageAndAgain) {
  run();
  const auto urls = web_.urls();
  ASSERT_GT(urls.size(), 4u);
  EXPECT_EQ(urls[0], "http://www.a.test/login");
  EXPECT_THAT(urls[1], HasSubstr("p=s3cret"));
  EXPECT_EQ(urls[2], "http://www.a.test/in");
  EXPECT_EQ(urls[3], "http://a.test/");
  // 13 pages.
  EXPECT_EQ(web_.sessions.size(), 5u);
  const std::string log = file("logs/crawl.log");
  EXPECT_THAT(log, HasSubstr("http://www.a.test/login?u=me&p=*&t=1 PS "));
  EXPECT_THAT(log, HasSubstr("login:form-in"));
  EXPECT_THAT(log, HasSubstr("login:form-again"));
  EXPECT_THAT(log, Not(HasSubstr("s3cret")));
  EXPECT_THAT(log, HasSubstr("http://a.test/p12 "));
}

TEST_F(LoginsTest, NobodyElseIsTold) {
  run();
  for (const Asked& asked : web_.requests)
    if (asked.url.starts_with("http://b.test/")) EXPECT_EQ(asked.authorization + asked.cookie, "") << asked.url;
}

TEST_F(LoginsTest, AWrongPasswordIsNotTriedAgain) {
  crawl_.settings.logins.password = "wrong";
  run();
  size_t tried = 0;
  for (const std::string& url : web_.urls()) tried += url.contains("p=wrong") ? 1 : 0;
  EXPECT_EQ(tried, 1u);
  EXPECT_THAT(file("logs/crawl.log"), HasSubstr("login:form-failed"));
  EXPECT_THAT(file("logs/crawl.log"), HasSubstr("http://a.test/p0 "));
}

// Bodies are put away while the index elsewhere is asked.
TEST_F(LoginsTest, ReadLargePagesToTheirEnds) {
  web_.before_forms = std::string(40'000, ' ');
  crawl_.settings.dedup.against = {"http://cdx.test/captures"};
  run();
  EXPECT_THAT(file("logs/crawl.log"), HasSubstr("login:form-in"));
  EXPECT_THAT(file("logs/crawl.log"), Not(HasSubstr("login:form-failed")));
}

TEST_F(LoginsTest, FindThePasswordAskedForAgainBehindALargePage) {
  web_.before_forms = std::string(40'000, ' ');
  crawl_.settings.dedup.against = {"http://cdx.test/captures"};
  crawl_.settings.logins.password = "wrong";
  run();
  EXPECT_THAT(file("logs/crawl.log"), HasSubstr("login:form-failed"));
}

TEST_F(LoginsTest, SayThatACookieWasTooLarge) {
  crawl_.settings.cookies.max_size = 5;
  run();
  EXPECT_THAT(file("logs/http.jsonl"), HasSubstr(R"("login":"form-in","login_problem":"1 cookie longer than )"
                                                 R"(cookies.max-size (5 bytes) was refused")"));
  const std::string steps = file("reports/processors-report.csv");
  EXPECT_THAT(steps, HasSubstr("\nlogin,fetch/form,2,0,0,")) << steps;
  EXPECT_THAT(steps, HasSubstr("\nlogin,fetch/cookies-too-large,2,0,0,")) << steps;
  EXPECT_THAT(steps, Not(HasSubstr("fetch/cookies-kept"))) << steps;
}

TEST_F(LoginsTest, AreCounted) {
  crawl_.settings.crawl.seeds = {"http://b.test/"};
  crawl_.settings.logins = {};
  crawl_.settings.logins.site = "b.test";
  crawl_.settings.logins.user = "me";
  crawl_.settings.logins.password = "wrong";
  run();
  EXPECT_THAT(file("reports/processors-report.csv"), HasSubstr("\nurl,fetch/basic,1,0,1,"));
}

TEST_F(LoginsTest, OutliveDeaths) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    MemberWeb web;
    SimCrawl crawl(seed);
    prepare(crawl, web);
    bool ended = false;
    int lives = 0;
    for (; !ended && lives < 20; ++lives) ended = crawl.live({60 + 8 * seed, {}});
    if (!ended) ended = crawl.live({});
    ASSERT_TRUE(ended);
    EXPECT_GT(lives, 1);
    const std::string log = *crawl.disk.files.read_all(
        (*collection::latest_launch(crawl.disk.files, SimCrawl::kCollection))->folder() + "/logs/crawl.log");
    EXPECT_THAT(log, HasSubstr("http://a.test/p12 "));
  }
}

}  // namespace
}  // namespace caddis::crawl
