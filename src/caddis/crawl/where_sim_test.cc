// Where a crawl goes, in the simulated world: to which addresses it connects, whatever pages, redirects, robots.txt and
// name servers say, and where chains of redirects end.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/collection/launch.h"
#include "sim/crawl.h"
#include "sim/requests.h"

namespace caddis::crawl {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::SimCrawl;

constexpr const char* kPublic = "93.184.216.34";

// A web that is made up for a test: what URLs answer, at which addresses hosts are, and who was asked.
class Web {
 public:
  // The answers of a host's look-ups, in turn; the last one is repeated.
  std::map<std::string, std::vector<std::vector<std::string>>> hosts;
  std::map<std::string, std::string> answers;                          // by URL; others are asked of `other`
  std::function<std::string(const std::string& url)> other = nullptr;  // empty: 404
  std::vector<std::string> requests;                                   // "address URL"
  std::vector<SteadyTime> times;                                       // of the requests
  Duration ttl = 6h;

  static std::string page(std::string_view body, std::string_view fields = "") {
    return fmt::format("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n{}\r\n{}", body.size(),
                       fields, body);
  }
  static std::string redirect(std::string_view to) {
    return fmt::format("HTTP/1.1 302 Found\r\nLocation: {}\r\nContent-Length: 0\r\n\r\n", to);
  }
  std::set<std::string> addresses() const {
    std::set<std::string> found;
    for (const std::string& request : requests) found.insert(request.substr(0, request.find(' ')));
    return found;
  }
  size_t count(std::string_view part) const {
    return static_cast<size_t>(
        std::ranges::count_if(requests, [part](const std::string& request) { return request.contains(part); }));
  }
  Result<visit::Lane::Parts> parts(aio::SimLoop& loop, const aio::SimNetworkSettings& settings) {
    clock_ = &loop.clock();
    auto network = std::make_unique<aio::SimNetwork>(loop, settings);
    network->serve_rest([this](const aio::Endpoint& at) -> aio::SimServer {
      return [this, at](std::unique_ptr<aio::Stream> stream) {
        return testing::answer_requests(std::move(stream),
                                        [this, at](const std::string& url) { return answer(at.address, url); });
      };
    });
    return visit::Lane::Parts{loop, std::move(network), std::make_unique<Names>(*this, loop.clock()), 0};
  }

 private:
  class Names final : public dns::Resolver {
   public:
    Names(Web& web, const Clock& clock) : web_(web), clock_(clock) {}
    aio::Task<Result<dns::Answer>> resolve(std::string host) override {
      const auto found = web_.hosts.find(host);
      if (found == web_.hosts.end() && !web_.everywhere_) co_return fail(ErrorCode::not_found, "no such name");
      dns::Answer answer;
      answer.host = host;
      answer.ttl = web_.ttl;
      answer.when = clock_.wall();
      answer.server = "93.184.216.53";
      std::vector<std::string> addresses = {kPublic};
      if (found != web_.hosts.end()) addresses = found->second[std::min(web_.asked_[host]++, found->second.size() - 1)];
      for (const std::string& address : addresses) answer.addresses.emplace_back(address, address.contains(':'));
      co_return answer;
    }

   private:
    Web& web_;
    const Clock& clock_;
  };

  std::string answer(const std::string& address, const std::string& url) {
    requests.push_back(address + " " + url);
    times.push_back(clock_->steady());
    const auto known = answers.find(url);
    const std::string found = known != answers.end() ? known->second : other ? other(url) : std::string();
    return found.empty() ? "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n" : found;
  }

  friend class WhereTest;
  const Clock* clock_ = nullptr;
  bool everywhere_ = false;  // all names are at kPublic
  std::map<std::string, size_t> asked_;
};

class WhereTest : public ::testing::Test {
 protected:
  WhereTest() {
    crawl_.make_parts = [this](aio::SimLoop& loop) { return web_.parts(loop, crawl_.network); };
    crawl_.settings.crawl.seeds = {"http://public.test/"};
    crawl_.settings.fetch.allow_addresses.clear();
    crawl_.settings.scope.kind = scope::ScopeKind::any;
    crawl_.settings.memory.hosts = 0;
    crawl_.settings.logs.content_size = false;
    web_.hosts["public.test"] = {{kPublic}};
  }
  void run() {
    ASSERT_TRUE(crawl_.live({}));
    EXPECT_EQ(crawl_.end().reason, EndReason::finished) << crawl_.end().text;
  }
  // Lines of crawl.log: URL to "status annotations".
  std::multimap<std::string, std::string> log() {
    std::multimap<std::string, std::string> lines;
    const auto launch = collection::latest_launch(crawl_.disk.files, SimCrawl::kCollection);
    const std::string text = *crawl_.disk.files.read_all((*launch)->crawl_log());
    for (const std::string_view line : split(text, '\n')) {
      std::vector<std::string> fields;
      for (const std::string_view field : split(line, ' '))
        if (!field.empty()) fields.emplace_back(field);
      if (fields.size() > 11) lines.emplace(fields[3], fields[1] + " " + fields[11]);
    }
    return lines;
  }
  std::string line(const std::string& url) {
    const auto lines = log();
    return lines.count(url) == 1 ? lines.find(url)->second : fmt::format("{} lines of {}", lines.count(url), url);
  }
  // All names are at one public address.
  void serve_all(std::function<std::string(const std::string& url)> other) {
    web_.everywhere_ = true;
    web_.other = std::move(other);
  }

  Web web_;
  SimCrawl crawl_{3};
};

TEST_F(WhereTest, ConnectsToPublicAddressesAlone) {
  web_.hosts["inner.test"] = {{"10.0.0.7"}};
  web_.answers["http://public.test/"] = Web::page(
      "<img src=http://127.0.0.9/secret.png><img src=http://[::1]/x><img src=http://inner.test/y>"
      "<img src=http://inner.test/z><a href=/away>a</a><a href=http://0x7f.1:8444/stop>b</a>"
      "<img src=http://[::ffff:192.168.1.1]/admin>");
  web_.answers["http://public.test/away"] = Web::redirect("http://169.254.169.254/latest/meta-data/");
  run();
  EXPECT_THAT(web_.addresses(), ElementsAre(kPublic));
  EXPECT_EQ(line("http://127.0.0.9/secret.png"), "-5010 refused:127.0.0.9");
  EXPECT_EQ(line("http://[::1]/x"), "-5010 refused:::1");
  EXPECT_EQ(line("http://inner.test/y"), "-5010 refused:10.0.0.7");
  EXPECT_EQ(line("http://inner.test/z"), "-5010 refused:10.0.0.7");
  EXPECT_EQ(line("dns:inner.test"), "1 refused:10.0.0.7");
  EXPECT_EQ(line("http://127.0.0.1:8444/stop"), "-5010 refused:127.0.0.1");
  EXPECT_EQ(line("http://169.254.169.254/latest/meta-data/"), "-5010 refused:169.254.169.254");
  EXPECT_EQ(line("http://[::ffff:c0a8:101]/admin"), "-5010 refused:::ffff:c0a8:101");
  EXPECT_EQ(line("http://public.test/away"), "302 -");
}

// Robots off: the visit itself is the first that would connect.
TEST_F(WhereTest, AsksNobodyForRobotsEither) {
  crawl_.settings.robots.policy = robots::RobotsPolicy::ignore;
  web_.hosts["inner.test"] = {{"fd00::7"}};
  web_.answers["http://public.test/"] = Web::page("<img src=http://127.0.0.9/x><img src=http://inner.test/y>");
  run();
  EXPECT_THAT(web_.addresses(), ElementsAre(kPublic));
  EXPECT_EQ(line("http://127.0.0.9/x"), "-5010 refused:127.0.0.9");
  EXPECT_EQ(line("http://inner.test/y"), "-5010 refused:fd00::7");
}

TEST_F(WhereTest, FollowsNoRobotsIntoTheNetwork) {
  web_.answers["http://public.test/robots.txt"] = Web::redirect("http://inner.test/robots.txt");
  web_.answers["http://public.test/"] = Web::page("<p>here</p>");
  web_.hosts["inner.test"] = {{"10.0.0.7"}};
  run();
  EXPECT_THAT(web_.addresses(), ElementsAre(kPublic));
  EXPECT_EQ(line("http://inner.test/robots.txt"), "-5010 refused:10.0.0.7");
  EXPECT_EQ(line("http://public.test/"), "200 -") << "as where there is no robots.txt";
}

// A redirect of robots.txt to a host that is being visited waits for its turn there, and gets it.
TEST_F(WhereTest, WaitsForAHostToWhichRobotsRedirect) {
  std::string links;
  for (int i = 0; i < 30; ++i) links += fmt::format("<a href=/{}>x</a>", i);
  web_.hosts["busy.test"] = {{kPublic}};
  web_.answers["http://busy.test/"] = Web::page(links);
  web_.answers["http://public.test/robots.txt"] = Web::redirect("http://busy.test/for-all");
  web_.answers["http://busy.test/for-all"] = Web::page("User-agent: *\nDisallow: /x", "");
  crawl_.settings.crawl.seeds = {"http://busy.test/", "http://public.test/late"};
  crawl_.settings.politeness.delay = 2s;
  run();
  EXPECT_EQ(line("http://busy.test/for-all"), "200 -");
  std::vector<SteadyTime> at_busy;
  size_t before = 0;
  for (size_t i = 0; i < web_.requests.size(); ++i) {
    if (web_.requests[i].contains("/for-all")) before = at_busy.size();
    if (web_.requests[i].contains("busy.test/")) at_busy.push_back(web_.times[i]);
  }
  ASSERT_GE(at_busy.size(), 33u);
  EXPECT_LT(before, 6u) << "it does not wait behind all that is queued there";
  for (size_t i = 1; i < at_busy.size(); ++i) EXPECT_GE(at_busy[i] - at_busy[i - 1], 2s) << i;
}

// A host of the same politeness group: the visit holds its place already.
TEST_F(WhereTest, DoesNotWaitForItself) {
  web_.hosts["www.public.test"] = {{kPublic}};
  web_.answers["http://public.test/robots.txt"] = Web::redirect("http://www.public.test/robots.txt");
  web_.answers["http://public.test/"] = Web::page("<a href=http://www.public.test/a>a</a>");
  crawl_.settings.politeness.group_assignment = frontier::GroupAssignment::domain;
  crawl_.settings.politeness.max_per_address = 1;
  run();
  EXPECT_EQ(log().count("http://www.public.test/robots.txt"), 2u) << "of either host";
  EXPECT_EQ(line("http://public.test/"), "200 -");
}

// Of a host with both kinds of addresses the public ones count, also where it is a seed.
TEST_F(WhereTest, LeavesPrivateAddressesOut) {
  web_.hosts["public.test"] = {{"10.0.0.1", kPublic, "127.0.0.1"}};
  web_.answers["http://public.test/"] = Web::page("<img src=http://10.0.0.2/x>");
  run();
  EXPECT_THAT(web_.addresses(), ElementsAre(kPublic));
  EXPECT_EQ(line("dns:public.test"), "1 refused:10.0.0.1");
  EXPECT_EQ(line("http://10.0.0.2/x"), "-5010 refused:10.0.0.2");
}

// A seed's name server answers otherwise when it is asked again.
TEST_F(WhereTest, ASeedThatMovesIntoTheNetworkIsRefused) {
  web_.ttl = 1s;
  web_.hosts["public.test"] = {{kPublic}, {"127.0.0.1"}};
  std::string links;
  for (int i = 0; i < 30; ++i) links += fmt::format("<a href=/{}>{}</a>", i, i);
  web_.answers["http://public.test/"] = Web::page(links);
  run();
  EXPECT_THAT(web_.addresses(), ElementsAre(kPublic));
  EXPECT_EQ(line("http://public.test/29"), "-5010 refused:127.0.0.1");
}

TEST_F(WhereTest, ASeedNamesItsRange) {
  crawl_.settings.crawl.seeds = {"http://inner.test/"};
  web_.hosts["inner.test"] = {{"10.0.0.7"}};
  web_.hosts["wiki.test"] = {{"10.200.0.1"}};
  web_.answers["http://inner.test/"] =
      Web::page("<a href=http://wiki.test/>w</a><img src=http://10.9.9.9/x><img src=http://192.168.0.1/y>");
  web_.answers["http://wiki.test/"] = Web::page("<img src=http://127.0.0.1/z>");
  run();
  EXPECT_THAT(web_.addresses(), ElementsAre("10.0.0.7", "10.200.0.1", "10.9.9.9"));
  EXPECT_EQ(line("http://wiki.test/"), "200 -");
  EXPECT_EQ(line("http://192.168.0.1/y"), "-5010 refused:192.168.0.1");
  EXPECT_EQ(line("http://127.0.0.1/z"), "-5010 refused:127.0.0.1");
}

// What a seed's first look-up has allowed holds through deaths; the look-up is not made anew.
TEST_F(WhereTest, RemembersTheRangesOfSeeds) {
  std::string links;
  for (int i = 0; i < 20; ++i) links += fmt::format("<a href=http://10.1.0.{}/>{}</a>", i, i);
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    Web web;
    SimCrawl crawl(seed);
    crawl.make_parts = [&](aio::SimLoop& loop) { return web.parts(loop, crawl.network); };
    crawl.settings.crawl.seeds = {"http://inner.test/"};
    crawl.settings.fetch.allow_addresses.clear();
    crawl.settings.scope.kind = scope::ScopeKind::any;
    web.hosts["inner.test"] = {{"10.0.0.7"}};
    web.answers["http://inner.test/"] = Web::page(links);
    bool ended = false;
    for (int lives = 0; !ended && lives < 5; ++lives) ended = crawl.live({100 + 60 * seed, {}});
    if (!ended) ended = crawl.live({});
    ASSERT_TRUE(ended);
    for (int i = 0; i < 20; ++i) EXPECT_GE(web.count(fmt::format("http://10.1.0.{}/", i)), 1u) << i;
  }
}

// Where a seed redirects to is a seed for the scope, but nobody has named it.
TEST_F(WhereTest, ARedirectNamesNothing) {
  web_.answers["http://public.test/"] = Web::redirect("http://127.0.0.1/");
  run();
  EXPECT_THAT(web_.addresses(), ElementsAre(kPublic));
  EXPECT_EQ(line("http://127.0.0.1/"), "-5010 refused:127.0.0.1");
}

// A redirect back to a seed that people have named makes it no less theirs, also in the process that resumes.
TEST_F(WhereTest, ASeedThatIsRedirectedToItselfStaysNamed) {
  crawl_.settings.crawl.seeds = {"http://192.168.0.1/"};
  web_.answers["http://192.168.0.1/"] = web_.answers["http://10.0.0.7/"] = Web::redirect("/b");
  web_.answers["http://192.168.0.1/b"] = web_.answers["http://10.0.0.7/b"] = Web::redirect("/");
  crawl_.settings.limits.run_while_empty = true;
  const auto live = [this](std::vector<Operator::AddedUrl> urls) {
    bool added = false;
    crawl_.on_pulse = [&](aio::SimLoop&, Operator& running) {
      if (running.status().state != RunState::empty) return;
      if (std::exchange(added, true)) return running.stop("enough");
      ASSERT_TRUE(running.add_urls(urls));
    };
    crawl_.live({});
  };
  live({{.url = "http://10.0.0.7/", .is_seed = true}});
  EXPECT_EQ(line("http://10.0.0.7/b"), "302 -");
  live({{.url = "http://10.0.0.7/again"}, {.url = "http://192.168.0.1/again"}});
  EXPECT_EQ(line("http://10.0.0.7/again"), "404 -");
  EXPECT_EQ(line("http://192.168.0.1/again"), "404 -");
}

TEST_F(WhereTest, SeedsOfARunningCrawlCount) {
  web_.hosts["inner.test"] = {{"10.0.0.7"}};
  web_.answers["http://public.test/"] = Web::page("<img src=http://inner.test/before><img src=http://10.0.0.8/before>");
  int stage = 0;
  crawl_.settings.limits.run_while_empty = true;
  crawl_.on_pulse = [&](aio::SimLoop&, Operator& running) {
    if (running.status().state != RunState::empty) return;
    ++stage;
    if (stage == 1) ASSERT_TRUE(running.add_urls({{.url = "http://inner.test/", .is_seed = true}}));
    if (stage == 2)
      ASSERT_TRUE(running.add_urls({{.url = "http://10.0.0.8/after"}, {.url = "http://192.168.0.1/after"}}));
    if (stage == 3) running.stop("enough");
  };
  crawl_.live({});
  EXPECT_EQ(line("http://inner.test/before"), "-5010 refused:10.0.0.7");
  EXPECT_EQ(line("http://inner.test/"), "404 -");
  EXPECT_EQ(line("http://10.0.0.8/before"), "-5010 refused:10.0.0.8");
  EXPECT_EQ(line("http://10.0.0.8/after"), "404 -") << "in the seed's range";
  EXPECT_EQ(line("http://192.168.0.1/after"), "-5010 refused:192.168.0.1") << "no seed";
  EXPECT_EQ(web_.count("http://inner.test/before"), 0u);
}

TEST_F(WhereTest, SettingsAllowBlocks) {
  crawl_.settings.fetch.allow_addresses = {"10.0.0.0/24"};
  web_.hosts["inner.test"] = {{"10.0.0.7"}};
  web_.answers["http://public.test/"] = Web::page("<img src=http://inner.test/y><img src=http://10.0.1.1/x>");
  run();
  EXPECT_EQ(line("http://inner.test/y"), "404 -");
  EXPECT_EQ(line("http://10.0.1.1/x"), "-5010 refused:10.0.1.1");
}

// For some hosts, whoever has a link there: another name at the same address is none of them.
TEST_F(WhereTest, SheetsAllowBlocks) {
  ASSERT_TRUE(
      load_settings("sheets: {inner: {sites: [inner.test], settings: {fetch: {allow-addresses: [10.0.0.0/8]}}}}",
                    "crawl.yaml", crawl_.settings));
  web_.hosts["inner.test"] = {{"10.0.0.7"}};
  web_.hosts["other.test"] = {{"10.0.0.7"}};
  web_.answers["http://public.test/"] = Web::page("<img src=http://inner.test/y><img src=http://other.test/y>");
  run();
  EXPECT_EQ(line("http://inner.test/y"), "404 -");
  EXPECT_EQ(line("http://other.test/y"), "-5010 refused:10.0.0.7");
}

// A host that was refused is tried when the crawl goes on with other settings.
TEST_F(WhereTest, ResumedItGoesByWhatIsAllowedNow) {
  web_.hosts["inner.test"] = {{"10.0.0.7"}};
  web_.answers["http://public.test/"] = Web::page("<img src=http://inner.test/y><img src=http://10.0.0.8/y>");
  crawl_.settings.limits.run_while_empty = true;
  crawl_.on_pulse = [&](aio::SimLoop&, Operator& running) {
    if (running.status().state == RunState::empty) running.stop("for now");
  };
  crawl_.live({});
  EXPECT_EQ(line("http://inner.test/y"), "-5010 refused:10.0.0.7");
  crawl_.overlay = [](config::Settings& settings) -> Result<void> {
    settings.fetch.allow_addresses = {"all"};
    return {};
  };
  bool added = false;
  crawl_.on_pulse = [&](aio::SimLoop&, Operator& running) {
    if (running.status().state != RunState::empty) return;
    if (std::exchange(added, true)) return running.stop("enough");
    ASSERT_TRUE(running.add_urls({{.url = "http://inner.test/again"}, {.url = "http://10.0.0.8/again"}}));
  };
  crawl_.live({});
  EXPECT_EQ(line("http://inner.test/again"), "404 -");
  EXPECT_EQ(line("http://10.0.0.8/again"), "404 -");
}

// --- chains

// "/r7" leads to "/r8", for ever.
int number_in(const std::string& url) {
  return static_cast<int>(parse_int(url.substr(url.find_last_not_of("0123456789") + 1)).value_or(0));
}

TEST_F(WhereTest, ChainsOfRedirectsEnd) {
  serve_all([](const std::string& url) {
    return url.contains("/r") && !url.contains("robots") ? Web::redirect(fmt::format("/r{}", number_in(url) + 1)) : "";
  });
  web_.answers["http://public.test/"] = Web::page("<a href=/r1>r</a>");
  run();
  EXPECT_EQ(web_.count("/r"), 1u + 21u) << "robots.txt, the link and 20 redirects";
  EXPECT_EQ(line("http://public.test/r21"), "302 -");
  EXPECT_EQ(line("http://public.test/r22"), "-4010 -") << "where the chain was left is on record";
}

TEST_F(WhereTest, ChainsOfRefreshesEnd) {
  crawl_.settings.scope.max_redirects = 7;
  serve_all([](const std::string& url) -> std::string {
    if (url.contains("/head")) return Web::page("x", fmt::format("Refresh: 0; url=/head{}\r\n", number_in(url) + 1));
    if (url.contains("/meta"))
      return Web::page(fmt::format("<meta http-equiv=refresh content='0; url=/meta{}'>", number_in(url) + 1));
    return "";
  });
  web_.answers["http://public.test/"] = Web::page("<a href=/head1>r</a><a href=/meta1>r</a>");
  run();
  for (const char* kind : {"head", "meta"}) {
    EXPECT_EQ(web_.count(fmt::format("/{}", kind)), 8u);
    EXPECT_EQ(line(fmt::format("http://public.test/{}9", kind)), "-4010 -");
  }
}

// Each seed's redirect adds its target to the seeds, a few times.
TEST_F(WhereTest, SeedsRedirectsWidenTheScopeAFewTimes) {
  crawl_.settings.scope.kind = scope::ScopeKind::host;
  crawl_.settings.crawl.seeds = {"http://h0.test/"};
  serve_all([](const std::string& url) -> std::string {
    if (url.ends_with(".test/"))
      return Web::redirect(fmt::format("http://h{}.test/", number_in(url.substr(0, url.size() - 6)) + 1));
    return "";
  });
  run();
  const auto launch = collection::latest_launch(crawl_.disk.files, SimCrawl::kCollection);
  const std::string report = *crawl_.disk.files.read_all((*launch)->reports() + "/seeds-report.txt");
  EXPECT_EQ(std::ranges::count(report, '\n'), 1 + 6) << report;
  EXPECT_EQ(web_.count(".test/") - web_.count("robots.txt") - web_.count("favicon"), 21u);
  EXPECT_EQ(line("http://h21.test/"), "-4010 -");
}

}  // namespace
}  // namespace caddis::crawl
