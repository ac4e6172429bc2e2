// Lists of seeds in the simulated world: read while the crawl visits, gone on with in the middle after any death, added
// to when it is resumed.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "caddis/aio/nursery.h"
#include "caddis/aio/task.h"
#include "caddis/collection/launch.h"
#include "caddis/crawl/checkpoint.h"
#include "caddis/crawl/operator.h"
#include "caddis/crawl/seed_intake.h"
#include "caddis/crawl/store_layout.h"
#include "sim/crawl.h"

namespace caddis::crawl {
namespace {

using namespace std::chrono_literals;
using testing::SimCrawl;

constexpr const char* kList = "/lists/seeds.txt";
constexpr size_t kLong = 5000;  // comments, so that it takes several groups to read a list

std::string answer() { return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok"; }

// A list of so many seeds of the site, to which nothing leads, and of the site's own. Comments make it long.
void write_list(SimCrawl& crawl, int seeds, const std::string& path = kList, std::string_view part = "s",
                size_t comment = 200) {
  std::string lines = "\xef\xbb\xbf# the list\r\n\r\n";
  for (int number = 0; number < seeds; ++number) {
    const std::string url = fmt::format("http://{}.test/{}{}", "abc"[number % 3], part, number);
    crawl.site.add(url, answer());
    lines += url + (number % 5 == 0 ? "  # a comment behind it\r\n" : "\n");
    lines += "# " + std::string(comment, 'x') + "\n";
    if (number % 7 == 0) lines += url + "\n";  // once more
  }
  for (const std::string& url : testing::SimSite::seeds()) lines += url + "\n";
  ASSERT_TRUE(crawl.disk.files.make_dirs("/lists"));
  ASSERT_TRUE(crawl.disk.files.write_atomically(path, lines));
}

void crawl_list(SimCrawl& crawl) {
  crawl.settings.crawl.seeds.clear();
  crawl.settings.crawl.seed_files = {kList};
  crawl.settings.politeness.delay = 1ms;
}

collection::Launch launch_of(SimCrawl& crawl) {
  return **collection::latest_launch(crawl.disk.files, SimCrawl::kCollection);
}

// How far the first list was read, as far as that is committed.
SeedListProgress progress_of(SimCrawl& crawl) {
  const auto latest = collection::latest_launch(crawl.disk.files, SimCrawl::kCollection);
  if (!latest || !*latest) return {};
  const auto kv = crawl.disk.kv_opener()((*latest)->store(), family_names());
  const auto row = (*kv)->get(kMeta, std::string(kSeedListRow) + "000001.seeds.txt");
  return *row ? *read_seed_list_progress(**row) : SeedListProgress();
}

std::string seeds_report(SimCrawl& crawl) {
  return *crawl.disk.files.read_all(launch_of(crawl).reports() + "/seeds-report.txt");
}

// Dies in ever longer lives until that much of the list is committed.
template <class Condition>
void live_until(SimCrawl& crawl, const Condition& condition) {
  for (size_t events = 50; events < 3000 && !condition(progress_of(crawl)); events += 50)
    ASSERT_FALSE(crawl.live({.events = events}));
  ASSERT_TRUE(condition(progress_of(crawl)));
}

bool is_in_the_middle(const SeedListProgress& progress) { return progress.lines > 0 && !progress.done; }

TEST(SimulatedSeeds, OfALongListSurviveDeathsInItsMiddle) {
  constexpr int kSeeds = 3000;
  int in_the_middle = 0;
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    SimCrawl crawl(seed);
    write_list(crawl, kSeeds, kList, "s", kLong);
    crawl_list(crawl);
    bool ended = false;
    for (int lives = 0; !ended && lives < 6; ++lives) {
      SimCrawl::Death death;
      if (crawl.disk.random.below(2) == 0)
        death.events = 100 + crawl.disk.random.below(1500);
      else
        death.changes = 20 + crawl.disk.random.below(100);
      ended = crawl.live(death);
      in_the_middle += is_in_the_middle(progress_of(crawl));
    }
    if (!ended) ended = crawl.live({});
    ASSERT_TRUE(ended);
    crawl.verify();
    if (HasFailure()) return;
    const SeedListProgress progress = progress_of(crawl);
    EXPECT_TRUE(progress.done);
    EXPECT_EQ(progress.bad, 0u);
    EXPECT_EQ(progress.taken, static_cast<uint64_t>(kSeeds + 3));
    EXPECT_EQ(progress.known, static_cast<uint64_t>((kSeeds + 6) / 7));
    const std::string report = seeds_report(crawl);
    EXPECT_EQ(std::ranges::count(report, '\n'), kSeeds + 4);
    EXPECT_FALSE(report.contains("NOTCRAWLED"));
  }
  EXPECT_GT(in_the_middle, 3);
}

// What is no seed is told once, and counted.
TEST(SimulatedSeeds, LinesThatAreNoneAreOnRecord) {
  SimCrawl crawl(3);
  crawl_list(crawl);
  std::string lines = "http://a.test/p0\n";
  for (int number = 0; number < 30; ++number) lines += fmt::format("gopher://x.test/{}\n", number);
  ASSERT_TRUE(crawl.disk.files.make_dirs("/lists"));
  ASSERT_TRUE(crawl.disk.files.write_atomically(kList, lines + "http://b.test/p0\nhttp://c.test/p0\n"));
  ASSERT_TRUE(crawl.live({}));
  crawl.verify();
  ASSERT_EQ(crawl.told.size(), 21u);
  EXPECT_EQ(crawl.told[0],
            "seeds.txt:2: seed 'gopher://x.test/0' has the scheme gopher; Caddis crawls http, https, "
            "ftp, sftp and whois, and file (file:///srv/site/) if the setting fetch.files allows it");
  EXPECT_EQ(crawl.told[20], "and 10 more seeds are like these");
  EXPECT_TRUE(seeds_report(crawl).contains("-7 NOTCRAWLED gopher://x.test/29 - "));
  EXPECT_EQ(progress_of(crawl).bad, 30u);
  crawl.told.clear();
  ASSERT_TRUE(crawl.live({}));
  EXPECT_TRUE(crawl.told.empty());
}

// The settings keep the path, and the launch a copy: what becomes of the file does not matter.
TEST(SimulatedSeeds, AreReadFromTheCopyOfTheLaunch) {
  SimCrawl crawl(4);
  write_list(crawl, 2000, kList, "s", kLong);
  crawl_list(crawl);
  live_until(crawl, is_in_the_middle);
  ASSERT_TRUE(crawl.disk.files.remove(kList));
  const std::string settings = *crawl.disk.files.read_all(launch_of(crawl).settings_file());
  EXPECT_TRUE(settings.contains(kList)) << settings;
  EXPECT_FALSE(settings.contains("http://a.test/")) << settings;
  ASSERT_TRUE(crawl.live({}));
  crawl.verify();
}

// Another list is taken when the crawl is resumed with it; one that it has is not read again.
TEST(SimulatedSeeds, AreAddedWhenTheCrawlIsResumed) {
  SimCrawl crawl(5);
  write_list(crawl, 10);
  crawl_list(crawl);
  ASSERT_TRUE(crawl.live({}));
  write_list(crawl, 700, "/lists/more.txt", "more");
  crawl.overlay = [](config::Settings& settings) -> Result<void> {
    settings.crawl.seed_files = {kList, "/lists/more.txt"};
    return {};
  };
  ASSERT_FALSE(crawl.live({.events = 40}));
  crawl.overlay = nullptr;
  ASSERT_TRUE(crawl.live({}));
  crawl.verify();
  EXPECT_TRUE(seeds_report(crawl).contains("200 CRAWLED http://a.test/more699 - "));
  const auto lists = seed_lists(crawl.disk.files, launch_of(crawl));
  ASSERT_EQ(lists->size(), 2u);
  EXPECT_EQ(lists->back().shown, "more.txt");
}

// The scope knows them in the next process, too: the links to them and their hosts are followed, and those that a SURT
// prefix among them takes in.
TEST(SimulatedSeeds, WidenTheScopeAfterADeath) {
  SimCrawl crawl(6);
  crawl_list(crawl);
  const std::string page = "<a href=\"http://b.test/p0\">b</a> <a href=\"http://c.test/p0\">c</a>";
  crawl.site.add("http://a.test/first", fmt::format("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: "
                                                    "{}\r\n\r\n{}",
                                                    page.size(), page));
  ASSERT_TRUE(crawl.disk.files.make_dirs("/lists"));
  ASSERT_TRUE(crawl.disk.files.write_atomically(
      kList, "http://a.test/first\nhttp://a.test/p0\n+http://(test,b,\n+c.test # and this host\n"));
  live_until(crawl, [](const SeedListProgress& progress) { return progress.done; });
  ASSERT_EQ(progress_of(crawl).taken, 2u);
  ASSERT_TRUE(crawl.live({}));
  crawl.verify();
}

// And so does it what lines with - leave out, seeds too. A bullet leaves nothing out.
TEST(SimulatedSeeds, NarrowTheScopeAfterADeath) {
  SimCrawl crawl(6);
  crawl_list(crawl);
  std::set<std::string> asked;
  crawl.site.on_request = [&](const std::string& url, std::string_view) { asked.insert(url); };
  ASSERT_TRUE(crawl.disk.files.make_dirs("/lists"));
  ASSERT_TRUE(crawl.disk.files.write_atomically(
      kList, "http://a.test/p0\nhttp://b.test/p0\n-http://(test,a,)/p1\n- http://a.test/p2\n-b.test # all of it\n"));
  for (size_t events = 50; !crawl.live({.events = events}); events += 100) ASSERT_LT(events, 10'000u);
  EXPECT_TRUE(asked.contains("http://a.test/p2"));
  EXPECT_EQ(progress_of(crawl).bad, 1u);
  EXPECT_EQ(progress_of(crawl).scope_lines, 2u);
  for (const std::string& url : asked)
    EXPECT_FALSE(url.starts_with("http://a.test/p1") || url.starts_with("http://b.test/p")) << url;
}

// Ends a seed when so many documents are there; what the operator hears, and when, is kept.
class Removal {
 public:
  Removal(SimCrawl& crawl, std::vector<std::string> seeds, uint64_t documents) : crawl_(crawl) {
    crawl.site.on_request = [this](const std::string& url, std::string_view) {
      if (is_known_) requests_.push_back(url);
    };
    crawl.on_pulse = [this, seeds = std::move(seeds), documents](aio::SimLoop&, Operator& running) {
      if (is_known_ || is_asked_ || running.status().documents < documents) return;
      is_asked_ = true;
      nursery_ = std::make_unique<aio::Nursery>();
      nursery_->spawn(remove(running, seeds));
    };
  }
  // One process. True if the crawl has ended.
  bool live(const SimCrawl::Death& death) {
    const bool ended = crawl_.live(death);
    if (nursery_) nursery_->abandon();
    nursery_.reset();
    is_asked_ = false;
    return ended;
  }
  bool is_known() const { return is_known_; }
  const std::string& refusal() const { return refusal_; }
  uint64_t removed() const { return removed_; }
  // URLs on that host that were asked for after that, those in flight aside.
  size_t requests_of(std::string_view host) const {
    return static_cast<size_t>(std::ranges::count_if(
        requests_, [&](const std::string& url) { return url.starts_with(fmt::format("http://{}/", host)); }));
  }

 private:
  aio::Task<void> remove(Operator& running, std::vector<std::string> seeds) {
    const auto done = co_await running.remove_seeds(std::move(seeds));
    const auto kept = co_await running.keep();
    if (!kept) co_return;
    is_known_ = true;
    removed_ = done.value_or(0);
    if (!done) refusal_ = done.error().message;
  }

  SimCrawl& crawl_;
  std::unique_ptr<aio::Nursery> nursery_;
  std::vector<std::string> requests_;
  std::string refusal_;
  uint64_t removed_ = 0;
  bool is_asked_ = false, is_known_ = false;
};

// From the moment at which it is acknowledged nothing is visited for its sake, whatever the process goes through.
TEST(SimulatedSeeds, ThatAreRemovedStayRemovedThroughDeaths) {
  int early = 0;
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    SimCrawl crawl(seed);
    Removal removal(crawl, {"http://b.test/p0"}, 12);
    SeededRandom random(seed);
    bool ended = false;
    for (int lives = 0; !ended && lives < 8; ++lives) {
      ended = removal.live({.events = 60 + random.below(400), .changes = std::nullopt});
      early += removal.is_known() && !ended;
    }
    while (!ended) ended = removal.live({});
    ASSERT_TRUE(removal.is_known());
    EXPECT_EQ(removal.removed(), 1u) << removal.refusal();
    // A visit in flight goes on as it was, and a death may take its end away.
    EXPECT_LE(removal.requests_of("b.test"), 3u);
    EXPECT_GT(removal.requests_of("a.test"), 3u);
    const std::string report = seeds_report(crawl);
    EXPECT_TRUE(report.contains(" REMOVED http://b.test/p0 - ")) << report;
    EXPECT_EQ(std::ranges::count(report, '\n'), 4) << report;
    const std::string log = *crawl.disk.files.read_all(launch_of(crawl).crawl_log());
    EXPECT_TRUE(log.contains(" -5000 ")) << "what had waited is on record";
  }
  EXPECT_GT(early, 5) << "deaths after it";
}

// The next process begins with the settings, in which it stands.
TEST(SimulatedSeeds, ThatAreRemovedAreNotInjectedAgain) {
  SimCrawl crawl(2);
  Removal removal(crawl, {"http://a.test/p0", "http://b.test/p0", "http://c.test/p0"}, 1);
  ASSERT_TRUE(removal.live({}));
  EXPECT_EQ(removal.removed(), 3u);
  ASSERT_TRUE(removal.live({}));
  EXPECT_LE(removal.requests_of("a.test"), 2u);
  const std::string report = seeds_report(crawl);
  for (const char* host : {"a", "b", "c"})
    EXPECT_TRUE(report.contains(fmt::format(" REMOVED http://{}.test/p0 - ", host))) << report;
}

// Rules that look for seeds as nobody did before: the seeds are gone through in pieces, and the crawl goes on.
TEST(SimulatedSeeds, AreMadeKnownToNewRulesWhileItRuns) {
  SimCrawl crawl(4);
  write_list(crawl, 900);
  crawl_list(crawl);
  crawl.settings.scope.rules = {"accept seeds page"};
  crawl.settings.politeness.delay = 50ms;
  aio::Nursery nursery;
  std::vector<std::string> told;
  const auto change = [](Operator& running, std::vector<std::string>& done) -> aio::Task<void> {
    const SettingsEdit edit{.settings = {{"scope.rules", "accept seeds domain"}}, .sheet = {}, .sites = {}};
    co_await running.prepare_settings(edit);
    done.push_back(running.state().scope->looks_for(scope::ScopeKind::domain) ? "knows" : "knows not");
    const auto changed = running.change_settings(edit);
    done.push_back(changed ? "changed" : changed.error().message);
    for (const char* url : {"http://sub.a.test/", "http://a.test/s42", "http://sub.other.test/"})
      done.push_back(running.state()
                             .scope
                             ->decide({.url = *url::Url::parse(url),
                                       .hop_path = "L",
                                       .rules = &running.state().settings.snapshot()->resolver->rules()})
                             .accepted
                         ? "in"
                         : "out");
  };
  bool is_asked = false;
  crawl.on_pulse = [&](aio::SimLoop&, Operator& running) {
    if (is_asked || running.status().documents < 100) return;
    is_asked = true;
    nursery.spawn(change(running, told));
    EXPECT_TRUE(told.empty()) << "it takes its time";
  };
  ASSERT_TRUE(crawl.live({}));
  EXPECT_EQ(told, (std::vector<std::string>{"knows", "changed", "in", "in", "out"}));
}

TEST(SimulatedSeeds, ThatAreNoneCannotBeRemoved) {
  SimCrawl crawl(3);
  Removal removal(crawl, {"http://a.test/p0", "http://a.test/p1"}, 5);
  ASSERT_TRUE(removal.live({}));
  EXPECT_TRUE(removal.refusal().starts_with("http://a.test/p1 is no seed of this crawl")) << removal.refusal();
  EXPECT_FALSE(seeds_report(crawl).contains("REMOVED")) << "all or none";
  crawl.verify();
}

// A new crawl from a checkpoint takes the rest of a list that was not read to its end.
TEST(SimulatedSeeds, OfAListThatWasNotReadToItsEndGoOnInAFork) {
  int in_the_middle = 0;
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    SimCrawl crawl(seed);
    write_list(crawl, 1500, kList, "s", kLong);
    crawl_list(crawl);
    std::string name;
    std::unique_ptr<aio::Nursery> nursery;
    // As far as the list was read then: the store has nothing newer yet.
    SeedListProgress progress;
    const auto take = [](Operator& running, std::string& taken, SeedListProgress& read) -> aio::Task<void> {
      const auto checkpoint = co_await running.checkpoint("half");
      if (!checkpoint) co_return;
      taken = checkpoint->name;
      const auto row = running.state().kv->get(kMeta, std::string(kSeedListRow) + "000001.seeds.txt");
      EXPECT_TRUE(*row) << "a fork would not know of the list";
      if (*row) read = *read_seed_list_progress(**row);
    };
    const uint64_t queued = seed <= 2 ? 0 : 100 * seed;
    crawl.on_pulse = [&](aio::SimLoop&, Operator& running) {
      if (!name.empty()) return running.stop("that is enough");
      if (nursery || running.status().queued < queued) return;
      nursery = std::make_unique<aio::Nursery>();
      nursery->spawn(take(running, name, progress));
    };
    ASSERT_FALSE(crawl.live({}));
    ASSERT_EQ(name, "half");
    const collection::Launch old = launch_of(crawl);
    in_the_middle += !progress.done;
    crawl.on_pulse = nullptr;
    ASSERT_TRUE(crawl.disk.files.remove(kList));
    crawl.from_checkpoint = checkpoint_folder(old, name);
    crawl.collection = "/archive/new";
    ASSERT_TRUE(crawl.live({}));
    const auto fork = collection::latest_launch(crawl.disk.files, crawl.collection);
    const std::string report = *crawl.disk.files.read_all((*fork)->reports() + "/seeds-report.txt");
    const std::string log = *crawl.disk.files.read_all((*fork)->crawl_log());
    // What the first crawl has taken is known, or waits; the others are new.
    for (const int number : {1400, 1499}) {
      const std::string url = fmt::format("http://{}.test/s{}", "abc"[number % 3], number);
      EXPECT_TRUE(log.contains(" " + url + " ")) << url;
    }
  }
  EXPECT_GT(in_the_middle, 3);
}

TEST(SimulatedSeeds, OfADamagedCopyAreNotGuessed) {
  SimCrawl crawl(7);
  write_list(crawl, 2000, kList, "s", kLong);
  crawl_list(crawl);
  live_until(crawl, is_in_the_middle);
  const std::string copy = launch_of(crawl).seed_lists() + "/000001.seeds.txt";
  ASSERT_TRUE(crawl.disk.files.write_atomically(copy, "http://a.test/p0\n"));
  crawl.faulty = true;
  ASSERT_FALSE(crawl.live({}));
  EXPECT_TRUE(crawl.refusal.contains("is shorter than what the crawl has read of it")) << crawl.refusal;
}

TEST(SimulatedSeeds, WithoutASeedAreRefused) {
  for (const char* text : {"", "# nothing\n", "gopher://x.test/\n"}) {
    SimCrawl crawl(8);
    crawl_list(crawl);
    crawl.faulty = true;
    ASSERT_TRUE(crawl.disk.files.make_dirs("/lists"));
    ASSERT_TRUE(crawl.disk.files.write_atomically(kList, text));
    ASSERT_FALSE(crawl.live({}));
    EXPECT_TRUE(crawl.refusal.contains("/lists/seeds.txt: no line of it is a seed")) << crawl.refusal;
    EXPECT_FALSE(crawl.disk.files.exists(SimCrawl::kCollection));
  }
  SimCrawl crawl(8);
  crawl_list(crawl);
  crawl.faulty = true;
  ASSERT_TRUE(crawl.disk.files.make_dirs("/lists"));
  ASSERT_TRUE(crawl.disk.files.write_atomically(kList, "http://a.test/\n" + std::string(200'000, 'x')));
  ASSERT_FALSE(crawl.live({}));
  EXPECT_TRUE(crawl.refusal.contains("line 2 is longer than 100 kB: this is no list of seeds")) << crawl.refusal;
}

}  // namespace
}  // namespace caddis::crawl
