// Lists of seeds in the simulated world: read while the crawl visits, gone on with in the middle after any death, added
// to when it is resumed.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "caddis/collection/launch.h"
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
  for (int number = 0; number < 30; ++number) lines += fmt::format("ftp://x.test/{}\n", number);
  ASSERT_TRUE(crawl.disk.files.make_dirs("/lists"));
  ASSERT_TRUE(crawl.disk.files.write_atomically(kList, lines + "http://b.test/p0\nhttp://c.test/p0\n"));
  ASSERT_TRUE(crawl.live({}));
  crawl.verify();
  ASSERT_EQ(crawl.told.size(), 21u);
  EXPECT_EQ(crawl.told[0], "seeds.txt:2: seed 'ftp://x.test/0' has the scheme ftp; Caddis crawls http and https");
  EXPECT_EQ(crawl.told[20], "and 10 more seeds are like these");
  EXPECT_TRUE(seeds_report(crawl).contains("-7 NOTCRAWLED ftp://x.test/29 -\n"));
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
  EXPECT_TRUE(seeds_report(crawl).contains("200 CRAWLED http://a.test/more699 -\n"));
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
  for (const char* text : {"", "# nothing\n", "ftp://x.test/\n"}) {
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
