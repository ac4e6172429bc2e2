// Whole crawls whose lanes are threads, over real sockets on loopback, with files and store in memory: for
// ThreadSanitizer (preset `tsan`), which sees what is shared without a lock. Library code that is not built with it
// (RocksDB) stays out. What the simulated world proves is not proved again here.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "caddis/aio/loop_thread.h"
#include "caddis/crawl/crawl.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/launcher.h"
#include "caddis/crawl/operator.h"
#include "caddis/dns/resolver.h"
#include "caddis/io/memory_files.h"
#include "caddis/store/memory_kv.h"
#include "threads/site_on_loopback.h"

namespace caddis::crawl {
namespace {

using namespace std::chrono_literals;
using testing::SiteOnLoopback;

constexpr size_t kHosts = 6;
constexpr unsigned kLanes = 4;

// What a crawl with threads runs on, but for its site.
class ThreadedWorld {
 public:
  explicit ThreadedWorld(const SiteOnLoopback& site) : site_(site) { disk_.save_to(files_); }

  World parts() {
    return World{.files = files_,
                 .clock = system_clock(),
                 .open_kv = disk_.opener(),
                 .loop = *loop_,
                 .blocking = *blocking_,
                 .seed = 1,
                 .pid = "1",
                 .hostname = "archive",
                 .make_lane = [this](unsigned, const config::Settings&) -> Result<visit::Lane::Parts> {
                   threads_.push_back(std::make_unique<aio::LoopThread>(system_clock()));
                   aio::Loop& loop = threads_.back()->loop();
                   return visit::Lane::Parts{loop, aio::make_network(loop),
                                             dns::make_table_resolver(system_clock(), site_.addresses()), 0};
                 },
                 .lanes = kLanes};
  }
  CrawlEnd run(Crawl& crawl) {
    CrawlEnd end;
    for (const auto& thread : threads_) thread->start();
    aio::run_to_end(*loop_, run_to_end(crawl, end));
    for (const auto& thread : threads_) thread->stop();
    return end;
  }
  io::MemoryFiles& files() { return files_; }

 private:
  static aio::Task<void> run_to_end(Crawl& crawl, CrawlEnd& end) { end = co_await crawl.run(); }

  const SiteOnLoopback& site_;
  io::MemoryFiles files_;
  store::MemoryKvDisk disk_;
  std::unique_ptr<aio::Loop> loop_ = aio::make_loop(system_clock());
  std::unique_ptr<aio::Blocking> blocking_ = aio::make_blocking(1);
  std::vector<std::unique_ptr<aio::LoopThread>> threads_;
};

// Sheets by host, by URL and both, so that there are many sets of them; some hold for URLs of action files alone.
constexpr std::string_view kSheets = R"(
sheets:
  first:
    sites: [s0.test, s1.test]
    settings: {politeness: {delay: 1ms}}
  second:
    sites: [s1.test, s2.test]
    settings: {fetch: {accept: "text/b"}}
  odd:
    urls: ['[13579]$']
    settings: {fetch: {accept: "text/c"}}
  late:
    urls: ['/late']
    settings: {scope: {max-hops: 3}}
  later:
    urls: ['/late.*[05]$']
    settings: {fetch: {max-length: 100000}}
)";

config::Settings crawl_settings(const SiteOnLoopback& site) {
  config::Settings settings;
  for (size_t host = 0; host < site.hosts(); ++host) settings.crawl.seeds.push_back(site.url(host, "p0"));
  settings.crawl.contact = "https://archive.test/";
  settings.limits.min_free_space = 0;
  settings.crawl.action_interval = 50ms;
  settings.crawl.stop_grace = 1s;
  settings.politeness.delay = 2ms;
  settings.fetch.allow_addresses = {"all"};
  EXPECT_TRUE(config::load_settings(kSheets, "crawl.yaml", settings));
  return settings;
}

// Three thousand URLs, of all hosts: more than are read in one go.
std::string action_lines(const SiteOnLoopback& site, std::string_view word) {
  std::string lines;
  for (int line = 0; line < 3000; ++line)
    lines += site.url(static_cast<size_t>(line) % site.hosts(), fmt::format("late-{}-{}", word, line)) + "\n";
  return lines;
}

// Files that are applied lie in done/, each beside its report.
size_t applied_files(io::Files& files, const collection::Launch& launch) {
  const auto entries = files.list(launch.actions() + "/done");
  return entries ? entries->size() / 2 : 0;
}

Result<std::unique_ptr<Crawl>> open_crawl(ThreadedWorld& world, const SiteOnLoopback& site) {
  LaunchOptions options;
  options.collection = "/archive/c";
  options.settings = crawl_settings(site);
  return Launcher::open(world.parts(), options);
}

TEST(ThreadedCrawl, SharesNothingWhileSettingsChangeAndActionFilesAreApplied) {
  const SiteOnLoopback site(kHosts);
  ThreadedWorld world(site);
  const auto opened = open_crawl(world, site);
  ASSERT_TRUE(opened) << opened.error().message;
  const auto& crawl = *opened;
  Operator& operations = crawl->operations();
  const std::vector<std::string> actions = {"a.schedule", "b.s.schedule", "c.seeds", "d.include", "e.force"};
  for (const std::string& name : actions)
    ASSERT_TRUE(world.files().write_atomically(operations.state().launch.actions() + "/" + name,
                                               action_lines(site, name.substr(0, 1))));
  uint64_t changes = 0;
  crawl->on_tick([&](const CrawlStatus& status) {
    ++changes;
    const auto changed = operations.change_settings(
        {.settings = {{"limits.max-documents", fmt::format("{}", 1'000'000 + changes)},
                      {"politeness.bandwidth", fmt::format("{}", 1'000'000'000 + changes)}}});
    EXPECT_TRUE(changed) << changed.error().message;
    if (applied_files(world.files(), operations.state().launch) == actions.size() && status.documents > 100)
      operations.stop("seen");
    if (changes > 120) operations.stop("it does not get on");
  });
  const CrawlEnd end = world.run(*crawl);
  EXPECT_EQ(end.reason, EndReason::stopped) << end.text;
  EXPECT_EQ(end.text, "seen");
  EXPECT_EQ(applied_files(world.files(), operations.state().launch), actions.size());
}

// What people do to a crawl from outside comes in on the engine's loop, while the lanes work.
TEST(ThreadedCrawl, IsOperatedWhileItRuns) {
  const SiteOnLoopback site(kHosts);
  ThreadedWorld world(site);
  const auto opened = open_crawl(world, site);
  ASSERT_TRUE(opened) << opened.error().message;
  const auto& crawl = *opened;
  Operator& operations = crawl->operations();
  uint64_t ticks = 0;
  crawl->on_tick([&](const CrawlStatus& status) {
    const auto added =
        operations.add_urls({{.url = site.url(0, fmt::format("late-{}", ++ticks)), .via = {}, .hops = {}}});
    EXPECT_TRUE(added) << added.error().message;
    EXPECT_TRUE(operations.sheets_of(site.url(1, "late-5")));
    operations.pause();
    EXPECT_EQ(operations.status().state, RunState::paused);
    EXPECT_TRUE(operations.resume());
    if (ticks >= 3 && status.documents > 100) operations.stop("seen");
    if (ticks > 120) operations.stop("it does not get on");
  });
  const CrawlEnd end = world.run(*crawl);
  EXPECT_EQ(end.reason, EndReason::stopped) << end.text;
  EXPECT_EQ(end.text, "seen");
}

}  // namespace
}  // namespace caddis::crawl
