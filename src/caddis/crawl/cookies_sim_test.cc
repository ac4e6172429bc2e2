// Cookies and consent walls in whole crawls of the simulated world: what is sent where, what a crawl knows after deaths,
// and which pages behind a wall are captured.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/collection/launch.h"
#include "sim/crawl.h"
#include "sim/requests.h"

namespace caddis::crawl {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::SimCrawl;

constexpr const char* kAddress = "93.184.216.34";

std::string field_of(std::string_view head, std::string_view name) {
  const std::string field = fmt::format("\r\n{}: ", name);
  const size_t at = head.find(field);
  if (at == std::string_view::npos) return "";
  const std::string_view rest = head.substr(at + field.size());
  return std::string(rest.substr(0, rest.find("\r\n")));
}

// A web of hosts at one address that looks at cookies. It outlives the deaths of those who crawl it.
class CookieWeb {
 public:
  // Returns the answer to a URL with that Cookie; empty: 404.
  std::function<std::string(const std::string& url, const std::string& cookie)> answer;
  std::vector<std::pair<std::string, std::string>> requests;  // URL and Cookie
  bool referers = false;                                      // a URL is told with the Referer: "URL from URL"

  static std::string page(std::string_view body, std::string_view fields = "") {
    return fmt::format("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n{}\r\n{}", body.size(),
                       fields, body);
  }
  static std::string redirect(std::string_view to, std::string_view fields = "") {
    return fmt::format("HTTP/1.1 302 Found\r\nLocation: {}\r\nContent-Length: 0\r\n{}\r\n", to, fields);
  }
  Result<visit::Lane::Parts> parts(aio::SimLoop& loop, const aio::SimNetworkSettings& settings) {
    auto network = std::make_unique<aio::SimNetwork>(loop, settings);
    network->serve_rest([this](const aio::Endpoint&) -> aio::SimServer {
      return [this](std::unique_ptr<aio::Stream> stream) {
        return testing::answer_heads(std::move(stream), [this](const std::string& head) { return answer_head(head); });
      };
    });
    std::map<std::string, std::vector<std::string>> addresses;
    for (const char* host : {"a.test", "www.a.test", "b.test", "wall.test", "wall.a.test"})
      addresses[host] = {kAddress};
    return visit::Lane::Parts{loop, std::move(network), dns::make_table_resolver(loop.clock(), addresses), 0};
  }
  // The Cookies that came with requests of that URL.
  std::vector<std::string> sent(std::string_view url) const {
    std::vector<std::string> found;
    for (const auto& [asked, cookie] : requests)
      if (asked == url) found.push_back(cookie);
    return found;
  }

 private:
  testing::Answer answer_head(const std::string& head) {
    const std::string url = testing::url_of_request(head), cookie = field_of(head + "\r\n", "Cookie"),
                      referer = field_of(head + "\r\n", "Referer");
    requests.emplace_back(url, cookie);
    const std::string found = answer(referers ? fmt::format("{} from {}", url, referer) : url, cookie);
    return {found.empty() ? "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n" : found, false};
  }
};

class CookiesTest : public ::testing::Test {
 protected:
  CookiesTest() { prepare(crawl_, web_); }
  static void prepare(SimCrawl& crawl, CookieWeb& web) {
    crawl.make_parts = [&](aio::SimLoop& loop) { return web.parts(loop, crawl.network); };
    crawl.settings.crawl.seeds = {"http://a.test/"};
    crawl.settings.scope.kind = scope::ScopeKind::any;
    crawl.settings.memory.hosts = 0;
    crawl.settings.logs.content_size = false;
    crawl.settings.extract.favicon = false;
  }
  void run() {
    ASSERT_TRUE(crawl_.live({}));
    EXPECT_EQ(crawl_.end().reason, EndReason::finished) << crawl_.end().text;
  }
  std::string launch() { return (*collection::latest_launch(crawl_.disk.files, SimCrawl::kCollection))->folder(); }
  // Lines of crawl.log of a URL, in their order: "status annotations".
  std::vector<std::string> lines(std::string_view url) {
    std::vector<std::string> found;
    const std::string text = *crawl_.disk.files.read_all(launch() + "/logs/crawl.log");
    for (const std::string_view line : split(text, '\n')) {
      std::vector<std::string> fields;
      for (const std::string_view field : split(line, ' '))
        if (!field.empty()) fields.emplace_back(field);
      if (fields.size() > 11 && fields[3] == url) found.push_back(fields[1] + " " + fields[11]);
    }
    return found;
  }
  std::string report() { return *crawl_.disk.files.read_all(launch() + "/reports/crawl-report.txt"); }

  SimCrawl crawl_{1};
  CookieWeb web_;
};

TEST_F(CookiesTest, ASessionIsKeptOverPagesHostsAndRobots) {
  web_.answer = [](const std::string& url, const std::string&) {
    if (url == "http://a.test/robots.txt")
      return CookieWeb::page("", "Set-Cookie: r=1\r\nSet-Cookie: d=2; Domain=a.test\r\n");
    if (url == "http://a.test/") return CookieWeb::page("<a href=/p>p</a><a href=http://www.a.test/>w</a>");
    return url.ends_with("/p") || url == "http://www.a.test/" ? CookieWeb::page("x") : std::string();
  };
  run();
  EXPECT_THAT(web_.sent("http://a.test/robots.txt"), ElementsAre(""));
  EXPECT_THAT(web_.sent("http://a.test/p"), ElementsAre("r=1; d=2"));
  EXPECT_THAT(web_.sent("http://www.a.test/robots.txt"), ElementsAre("d=2"));
  EXPECT_THAT(web_.sent("http://www.a.test/"), ElementsAre("d=2"));
}

TEST_F(CookiesTest, SitesDoNotSeeOthersAndCanBeWithout) {
  web_.answer = [](const std::string& url, const std::string&) {
    if (url == "http://a.test/")
      return CookieWeb::page("<a href=http://b.test/>b</a><a href=http://www.a.test/>w</a>",
                             "Set-Cookie: a=1\r\nSet-Cookie: x=1; Domain=b.test\r\nSet-Cookie: y=1; Domain=test\r\n");
    if (url == "http://b.test/") return CookieWeb::page("<a href=/2>2</a>", "Set-Cookie: b=1\r\n");
    if (url == "http://www.a.test/") return CookieWeb::page("<a href=/2>2</a>", "Set-Cookie: w=1\r\n");
    return url.ends_with("/2") ? CookieWeb::page("x") : std::string();
  };
  constexpr std::string_view kSheet = R"(
sheets:
  without:
    sites: [b.test]
    settings:
      cookies: {enabled: false}
)";
  ASSERT_TRUE(config::load_settings(kSheet, "test", crawl_.settings));
  run();
  EXPECT_THAT(web_.sent("http://b.test/"), ElementsAre(""));
  EXPECT_THAT(web_.sent("http://b.test/2"), ElementsAre(""));
  EXPECT_THAT(web_.sent("http://www.a.test/2"), ElementsAre("w=1"));
}

TEST_F(CookiesTest, AreCounted) {
  web_.answer = [](const std::string& url, const std::string&) {
    if (url != "http://a.test/") return std::string();
    std::string fields;
    for (int i = 0; i < 60; ++i) fields += fmt::format("Set-Cookie: c{}=1\r\n", i);
    fields += fmt::format("Set-Cookie: large={}\r\nSet-Cookie: x=1; Domain=b.test\r\n", std::string(5000, 'x'));
    return CookieWeb::page("<a href=/p>p</a><a href=http://none.test/>n</a>", fields);
  };
  run();
  const std::string steps = *crawl_.disk.files.read_all(launch() + "/reports/processors-report.csv");
  for (const char* row :
       {"url,fetch/http,2,0,0,", "robots,fetch/http,1,0,0,", "url,fetch/cookies-kept,60,",
        "url,fetch/cookies-over-domain,10,", "url,fetch/cookies-too-large,1,", "url,fetch/cookies-refused,1,"})
    EXPECT_THAT(steps, HasSubstr(fmt::format("\n{}", row))) << steps;
  EXPECT_THAT(steps, Not(HasSubstr("over-total")));
}

// A → A: the commonest wall of all.
TEST_F(CookiesTest, ARedirectToItselfWithACookieIsFollowed) {
  web_.answer = [](const std::string& url, const std::string& cookie) {
    if (url != "http://a.test/") return std::string();
    return cookie == "seen=1" ? CookieWeb::page("behind") : CookieWeb::redirect("/", "Set-Cookie: seen=1\r\n");
  };
  run();
  EXPECT_THAT(web_.sent("http://a.test/"), ElementsAre("", "seen=1"));
  EXPECT_THAT(lines("http://a.test/"), ElementsAre("302 consentWall", "200 -"));
  EXPECT_THAT(report(), HasSubstr("consent walls: 1"));
}

// A → W → A over another host, for each page: the wall is one URL for each.
TEST_F(CookiesTest, PagesBehindAWallOfAnotherHostAreCaptured) {
  web_.answer = [](const std::string& url, const std::string& cookie) {
    if (url.starts_with("http://wall.test/?"))
      return CookieWeb::redirect("http://a.test/ok?" + url.substr(url.find('?') + 1), "Set-Cookie: w=1\r\n");
    if (url.starts_with("http://a.test/ok?"))
      return CookieWeb::redirect("/" + url.substr(url.find('?') + 1), "Set-Cookie: ok=1; Path=/\r\n");
    if (!url.starts_with("http://a.test/") || url.ends_with(".txt")) return std::string();
    if (!cookie.contains("ok=1")) return CookieWeb::redirect("http://wall.test/?" + url.substr(14));
    return CookieWeb::page(url.ends_with("/") ? "<a href=/p1>1</a><a href=/p2>2</a>" : "page");
  };
  crawl_.settings.crawl.seeds = {"http://a.test/", "http://a.test/s1", "http://a.test/s2"};
  run();
  for (const char* page : {"http://a.test/", "http://a.test/p1", "http://a.test/p2", "http://a.test/s1"})
    EXPECT_THAT(lines(page).back(), HasSubstr("200 ")) << page;
  EXPECT_THAT(lines("http://a.test/s2").back(), HasSubstr("200 "));
}

// All pages lead to one URL, which leads back to the Referer: it is visited once, after more than one page was asked.
TEST_F(CookiesTest, PagesThatWaitForOneWallAreCaptured) {
  web_.referers = true;
  web_.answer = [](const std::string& url, const std::string& cookie) {
    if (url.starts_with("http://wall.a.test/ from "))
      return CookieWeb::redirect(url.substr(url.find("from ") + 5), "Set-Cookie: ok=1; Domain=a.test; Path=/\r\n");
    if (!url.starts_with("http://www.a.test/p")) return std::string();
    if (!cookie.contains("ok=1")) return CookieWeb::redirect("http://wall.a.test/");
    return CookieWeb::page("page");
  };
  crawl_.settings.crawl.seeds = {"http://www.a.test/p1", "http://www.a.test/p2", "http://www.a.test/p3"};
  crawl_.settings.politeness.visits_per_host = 3;
  run();
  for (const char* page : {"http://www.a.test/p1", "http://www.a.test/p2", "http://www.a.test/p3"}) {
    EXPECT_THAT(web_.sent(page), ElementsAre("", "ok=1")) << page;
    EXPECT_THAT(lines(page), ElementsAre(HasSubstr("302 "), HasSubstr("200 "))) << page;
  }
  EXPECT_THAT(lines("http://wall.a.test/"), ElementsAre("302 consentWall"));
}

// A wall that gives each answer another cookie, and lets nobody in.
TEST_F(CookiesTest, PagesThatWaitForAWallThatStaysShutAreAskedAgainWithinBounds) {
  int number = 0;
  web_.referers = true;
  web_.answer = [&](const std::string& url, const std::string&) {
    const std::string cookie = fmt::format("Set-Cookie: id={}; Domain=a.test\r\n", ++number);
    if (url.starts_with("http://wall.a.test/ from "))
      return CookieWeb::redirect(url.substr(url.find("from ") + 5), cookie);
    return url.starts_with("http://www.a.test/p") ? CookieWeb::redirect("http://wall.a.test/", cookie) : std::string();
  };
  crawl_.settings.crawl.seeds.clear();
  for (int i = 0; i < 10; ++i) crawl_.settings.crawl.seeds.push_back(fmt::format("http://www.a.test/p{}", i));
  run();
  for (const std::string& page : crawl_.settings.crawl.seeds) EXPECT_LE(web_.sent(page).size(), 3u) << page;
}

TEST_F(CookiesTest, ALoopEndsWithAndWithoutCookies) {
  int number = 0;
  bool sets = false;
  web_.answer = [&](const std::string& url, const std::string&) {
    if (url != "http://a.test/") return std::string();
    return CookieWeb::redirect("/", sets ? fmt::format("Set-Cookie: id={}\r\n", ++number) : "");
  };
  run();
  EXPECT_EQ(web_.sent("http://a.test/").size(), 1u);
  SimCrawl other(2);
  prepare(other, web_);
  sets = true;
  web_.requests.clear();
  ASSERT_TRUE(other.live({}));
  EXPECT_THAT(web_.sent("http://a.test/"), ElementsAre("", "id=1", "id=2"));
}

// The same cookie again and again opens nothing.
TEST_F(CookiesTest, AWallThatStaysShutIsTriedOnce) {
  web_.answer = [&](const std::string& url, const std::string&) {
    return url == "http://a.test/" ? CookieWeb::redirect("/", "Set-Cookie: id=1\r\n") : std::string();
  };
  run();
  EXPECT_THAT(web_.sent("http://a.test/"), ElementsAre("", "id=1"));
}

TEST_F(CookiesTest, TheOperatorsOwnCookieWinsAndOpensNothing) {
  crawl_.settings.fetch.headers = {"Cookie: mine=1"};
  web_.answer = [&](const std::string& url, const std::string&) {
    return url == "http://a.test/" ? CookieWeb::redirect("/", "Set-Cookie: id=1\r\n") : std::string();
  };
  run();
  EXPECT_THAT(web_.sent("http://a.test/"), ElementsAre("mine=1"));
}

// A login at the first page, and a chain of pages that only those see who are logged in.
std::string session_web(const std::string& url, const std::string& cookie) {
  if (url == "http://a.test/")
    return CookieWeb::page("<a href=/p0>0</a>", "Set-Cookie: sid=42; Path=/\r\nSet-Cookie: soon=1; Max-Age=1\r\n");
  if (!url.starts_with("http://a.test/p")) return "";
  const int64_t number = *parse_int(url.substr(15));
  if (!cookie.contains("sid=42")) return CookieWeb::page("log in");
  return CookieWeb::page(number < 15 ? fmt::format("<a href=/p{}>next</a>", number + 1) : "the end");
}

TEST_F(CookiesTest, ASessionOutlivesPowerCuts) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    CookieWeb web;
    web.answer = session_web;
    SimCrawl crawl(seed);
    prepare(crawl, web);
    bool ended = false;
    int lives = 0;
    for (; !ended && lives < 20; ++lives) ended = crawl.live({60 + 8 * seed, {}});
    if (!ended) ended = crawl.live({});
    ASSERT_TRUE(ended);
    EXPECT_GT(lives, 1);
    for (const auto& [url, cookie] : web.requests)
      if (url.starts_with("http://a.test/p")) EXPECT_THAT(cookie, HasSubstr("sid=42")) << url;
    EXPECT_THAT(web.sent("http://a.test/p15"), Contains(HasSubstr("sid=42")));  // the clock may be set back
  }
}

TEST_F(CookiesTest, AWallIsOpenedThroughPowerCuts) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    CookieWeb web;
    web.answer = [](const std::string& url, const std::string& cookie) {
      if (url.starts_with("http://wall.test/?"))
        return CookieWeb::redirect("http://a.test/set?" + url.substr(url.find('?') + 1));
      if (url.starts_with("http://a.test/set?"))
        return CookieWeb::redirect("/" + url.substr(url.find('?') + 1), "Set-Cookie: ok=1; Path=/\r\n");
      if (!url.starts_with("http://a.test/") || url.ends_with(".txt")) return std::string();
      return cookie.contains("ok=1") ? CookieWeb::page("behind " + url)
                                     : CookieWeb::redirect("http://wall.test/?" + url.substr(14));
    };
    SimCrawl crawl(seed);
    prepare(crawl, web);
    crawl.settings.crawl.seeds = {"http://a.test/s1", "http://a.test/s2"};
    bool ended = false;
    for (int lives = 0; !ended && lives < 20; ++lives) ended = crawl.live({40 + 8 * seed, {}});
    if (!ended) ended = crawl.live({});
    ASSERT_TRUE(ended);
    EXPECT_THAT(web.sent("http://a.test/s1"), Contains("ok=1"));
    EXPECT_THAT(web.sent("http://a.test/s2"), Contains("ok=1"));
  }
}

// The operator's file goes in and stays secret; all cookies go out, readable for the owner of the file alone.
TEST_F(CookiesTest, FilesGoInAndOut) {
  ASSERT_TRUE(crawl_.disk.files.make_dirs("/jar"));
  ASSERT_TRUE(crawl_.disk.files.write_atomically("/jar/in.txt", "a.test\tFALSE\t/\tFALSE\t0\tsession\tmine\n"));
  crawl_.settings.cookies.load = "/jar/in.txt";
  crawl_.settings.cookies.save = "/jar/out.txt";
  web_.answer = [](const std::string& url, const std::string&) {
    if (url == "http://a.test/") return CookieWeb::page("<a href=/p>p</a>", "Set-Cookie: n=1; HttpOnly\r\n");
    return url.ends_with("/p") ? CookieWeb::page("x") : std::string();
  };
  run();
  EXPECT_THAT(web_.sent("http://a.test/p"), ElementsAre("session=mine; n=1"));
  EXPECT_EQ(*crawl_.disk.files.read_all("/jar/out.txt"),
            "# Netscape HTTP Cookie File\na.test\tFALSE\t/\tFALSE\t0\tsession\tmine\n"
            "#HttpOnly_a.test\tFALSE\t/\tFALSE\t0\tn\t1\n");
}

TEST_F(CookiesTest, ABadFileIsRefusedByNameAndLine) {
  ASSERT_TRUE(crawl_.disk.files.make_dirs("/jar"));
  ASSERT_TRUE(crawl_.disk.files.write_atomically("/jar/in.txt", "# one\nno cookie\n"));
  crawl_.settings.cookies.load = "/jar/in.txt";
  crawl_.faulty = true;
  EXPECT_FALSE(crawl_.live({}));
  EXPECT_THAT(crawl_.refusal, HasSubstr("cookies.load: /jar/in.txt: line 2: "));
}

}  // namespace
}  // namespace caddis::crawl
