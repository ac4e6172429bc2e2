// Whole crawls in the simulated world with settings that differ between sites.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/settings/yaml.h"
#include "sim/crawl.h"

namespace caddis::crawl {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::SimCrawl;

// A crawl, and what the servers have seen of it.
struct Watched {
  explicit Watched(uint64_t seed) : crawl(seed) {
    crawl.site.on_request = [this](const std::string& url, std::string_view head) {
      const std::string host = url.substr(7, url.find('/', 7) - 7);
      if (loop != nullptr) times[host].push_back(loop->clock().steady());
      heads[url] = head;
    };
    crawl.on_pulse = [this](aio::SimLoop& now, Operator& running) {
      loop = &now;
      if (look) look(running);
    };
  }
  void settings(std::string_view yaml) {
    const auto loaded = load_settings(yaml, "crawl.yaml", crawl.settings);
    ASSERT_TRUE(loaded) << loaded.error().message;
  }
  bool live(const SimCrawl::Death& death = {}) {
    loop = nullptr;  // that of the process before is gone
    for (auto& [host, of_host] : times) of_host.clear();
    const bool ended = crawl.live(death);
    loop = nullptr;
    return ended;
  }
  // Between two requests of a host, in one process.
  Duration shortest_pause(const std::string& host) const {
    Duration shortest = 1h;
    const auto& of_host = times.at(host);
    for (size_t i = 1; i < of_host.size(); ++i) shortest = std::min(shortest, Duration(of_host[i] - of_host[i - 1]));
    return shortest;
  }
  std::set<std::string> asked(std::string_view prefix) const {
    std::set<std::string> urls;
    for (const auto& [url, head] : heads)
      if (url.starts_with(prefix)) urls.insert(url.substr(prefix.size()));
    return urls;
  }

  SimCrawl crawl;
  aio::SimLoop* loop = nullptr;
  std::function<void(Operator&)> look;
  std::map<std::string, std::vector<SteadyTime>> times;
  std::map<std::string, std::string> heads;
};

constexpr std::string_view kSheets = R"(
sheets:
  gentle:
    sites: [b.test]
    settings:
      politeness: {delay: 2s, url-retries: 0}
      fetch: {accept: "text/b"}
  near:
    sites: [a.test]
    settings:
      scope: {max-hops: 1}
      robots: {policy: ignore}
      fetch: {user-agent: "other/1.0"}
  pictures:
    urls: ['\.png$']
    settings:
      fetch: {accept: "image/*", max-length: 1000}
  gentler:
    sites: [b.test]
    settings:
      politeness: {delay: 3s}
)";

void check_sites(const Watched& watched) {
  // By host: the later sheet counts, and others are as everywhere.
  EXPECT_GE(watched.shortest_pause("b.test"), 3s);
  EXPECT_LT(watched.shortest_pause("c.test"), 1s);
  // By the URL of the link.
  EXPECT_THAT(watched.asked("http://a.test/"), ::testing::Contains("p2"));
  EXPECT_THAT(watched.asked("http://a.test/"), ::testing::Not(::testing::Contains("p3")));
  EXPECT_EQ(watched.asked("http://c.test/p").size(), 14u);
  // The robots.txt of one host is not asked for, and what it forbids is fetched.
  EXPECT_FALSE(watched.heads.contains("http://a.test/robots.txt"));
  EXPECT_TRUE(watched.heads.contains("http://a.test/private/x"));
  EXPECT_TRUE(watched.heads.contains("http://c.test/robots.txt"));
  // What is asked, by URL.
  EXPECT_THAT(watched.heads.at("http://b.test/p1"), HasSubstr("Accept: text/b\r\n"));
  EXPECT_THAT(watched.heads.at("http://c.test/p1"), HasSubstr("Accept: text/html"));
  EXPECT_THAT(watched.heads.at("http://img.test/i1.png"), HasSubstr("Accept: image/*\r\n"));
  EXPECT_THAT(watched.heads.at("http://a.test/p1"), HasSubstr("User-Agent: other/1.0\r\n"));
  EXPECT_THAT(watched.heads.at("http://b.test/p1"), HasSubstr("User-Agent: Mozilla"));
}

TEST(Sheets, DifferBySite) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    Watched watched(seed);
    watched.settings(kSheets);
    watched.crawl.settings.crawl.lanes = static_cast<int64_t>(seed);
    int busy = 0;
    const auto note = watched.crawl.site.on_request;
    watched.crawl.site.on_request = [&, note](const std::string& url, std::string_view head) {
      note(url, head);
      busy += url == "http://b.test/busy" ? 1 : 0;
    };
    watched.look = [](Operator& running) {
      const auto report = running.frontier().admin().explain_host("b.test");
      ASSERT_TRUE(report);
      EXPECT_THAT(report->sheets, ElementsAre("gentle", "gentler"));
      EXPECT_TRUE(running.frontier().admin().explain_host("c.test")->sheets.empty());
    };
    ASSERT_TRUE(watched.live()) << watched.crawl.end().text;
    check_sites(watched);
    EXPECT_EQ(busy, 1) << "no second try where the sheet says so";
  }
}

// Whoever resumes a crawl finds its sheets, and may change them as far as settings may change.
TEST(Sheets, OutliveTheProcess) {
  Watched watched(2);
  watched.settings(kSheets);
  ASSERT_FALSE(watched.live({100, {}}));
  watched.crawl.settings = config::Settings();  // what is not given again counts as it was stored
  ASSERT_TRUE(watched.live());
  check_sites(watched);
}

TEST(Sheets, ChangeOnResuming) {
  Watched watched(1);
  watched.settings(kSheets);
  ASSERT_FALSE(watched.live({400, {}}));
  std::string changed(kSheets);
  changed.replace(changed.find("max-hops: 1"), 11, "max-hops: 2");
  watched.crawl.notices.clear();
  watched.crawl.overlay = [&](config::Settings& settings) { return load_settings(changed, "new.yaml", settings); };
  ASSERT_TRUE(watched.live());
  EXPECT_THAT(watched.crawl.notices,
              ::testing::Contains(HasSubstr("sheets: scope.max-hops changed from 1 for a.test to 2 for a.test")));
}

TEST(Sheets, BudgetsAndQuotasOfAHost) {
  Watched watched(3);  // all hosts in memory: of others it is not known how many URLs they have
  watched.settings(R"(
sheets:
  small: {sites: [c.test], settings: {quota: {host-successes: 4, action: drop}}}
  few: {sites: [b.test], settings: {politeness: {host-budget: 5}}}
)");
  ASSERT_TRUE(watched.live()) << watched.crawl.end().text;
  EXPECT_EQ(watched.asked("http://c.test/").size() - 1, 4u) << "robots.txt aside";
  // Some URLs of a host are taken in one go, from one page.
  EXPECT_LE(watched.asked("http://b.test/").size() - 1, 7u);
  EXPECT_EQ(watched.asked("http://a.test/p").size(), 30u);
}

}  // namespace
}  // namespace caddis::crawl
