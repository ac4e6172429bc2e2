// A whole crawl in the simulated world, through any number of deaths.
//
//   SimCrawl crawl(seed);
//   while (!crawl.live(SimCrawl::Death())) {}           // a process each; true: the crawl has ended by itself
//   crawl.verify();                                     // everything captured, once, and nothing else on the disk
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "caddis/aio/sim.h"
#include "caddis/base/time_format.h"
#include "caddis/collection/launch.h"
#include "caddis/crawl/crawl.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/launcher.h"
#include "caddis/crawl/operator.h"
#include "caddis/dns/resolver.h"
#include "faults/sim_disk.h"
#include "sim/site.h"

namespace caddis::testing {

// What a fault may do to a crawl all the same. `where`: "responses", "requests", "lookups", "crawl.log", "index",
// "pages".
struct Leniency {
  using Judge = std::function<bool(std::string_view where, std::string_view url)>;
  Judge may_repeat = nullptr;  // more than once
  Judge may_miss = nullptr;
  Judge may_appear = nullptr;  // though the site does not have it
};

class SimCrawl {
 public:
  // How a process dies, if it does: after so many events of its loop, or at so many changes of the disk.
  struct Death {
    std::optional<size_t> events;
    std::optional<uint64_t> changes;
  };
  static constexpr const char* kCollection = "/archive/c";
  // More than the longest run has: who needs more stands still.
  static constexpr size_t kEndless = 300'000;
  static constexpr size_t kStep = 8;
  // About what an undisturbed run has: for drawing moments of death.
  static constexpr uint64_t kEvents = 800;
  static constexpr uint64_t kChanges = 160;

  explicit SimCrawl(uint64_t seed) : disk(seed), wall_(std::chrono::seconds(1'790'000'000)) {
    using namespace std::chrono_literals;
    settings.crawl.seeds = SimSite::seeds();
    settings.crawl.contact = "https://archive.test/";
    settings.limits.min_free_space = 0;
    settings.politeness.delay = 150ms;
    settings.politeness.url_retry_delay = 1s;
    settings.politeness.host_retry_delay = 1s;
    settings.politeness.max_retry_delay = 20s;
    settings.politeness.set_aside = 30s;
    settings.politeness.url_retries = 4;
    settings.fetch.memory_per_fetch = 64 * 1024;
    settings.fetch.allow_addresses = {"all"};  // those of the sites are kept for documentation
    settings.archive.max_file_size = 1'000'000;
    settings.memory.hosts = static_cast<int64_t>(seed % 3);  // 0: all of them
    // From a few URLs in memory, the others in many runs, to all.
    settings.memory.seen = seed % 4 == 0 ? 1'000'000'000 : 100 << seed % 8;
    // From a few, so that much of the log of known URLs is let go, to more than there are.
    groups_kept = seed % 5 == 0 ? 64 : 1 + seed % 5;
    // From a few lines in each segment of the index, so that many are joined, to no segment at all.
    index_segment = seed % 7 == 0 ? 1 << 30 : 300 << seed % 7;
  }

  // One process: it begins or resumes, and runs until it dies or the crawl has ended.
  bool live(const Death& death) {
    ++lives_;
    if (death.changes) disk.cut_power_after(*death.changes);
    bool ended = false;
    {
      aio::SimLoop loop(disk.random.next());
      loop.manual_clock().jump_wall(wall_);
      ended = run(loop, death.events.value_or(kEndless));
      loop.abandon();
      // Whatever the dying process still does, it does in the dark.
      if (!end_) disk.cut_power();
      running_.reset();
      blocking_.reset();
      wall_ = loop.clock().wall() + std::chrono::milliseconds(disk.random.below(5000));
      events_ += loop.events();
    }
    // Now and then a clock is set back.
    if (disk.random.below(20) == 0) wall_ -= std::chrono::minutes(10);
    // A process that ended by itself leaves the disk alone.
    if (!end_ || disk.power_is_off()) disk.crash();
    disk.disarm();
    return ended;
  }

  // The crawl that has ended is followed by another one of the same collection: the next process begins it.
  void begin_again() {
    launch_before = (*collection::latest_launch(disk.files, collection))->name;
    wall_ += std::chrono::hours(1);
  }

  // Both crawls in one process, from their beginning to their end, on one loop. True if both have ended by themselves.
  static bool live_together(SimCrawl& one, SimCrawl& other) {
    aio::SimLoop loop(one.disk.random.next());
    loop.manual_clock().jump_wall(one.wall_);
    aio::Nursery nursery;
    for (SimCrawl* crawl : {&one, &other}) {
      auto opened = crawl->open(loop);
      EXPECT_TRUE(opened) << opened.error().message;
      if (!opened) return false;
      crawl->running_ = std::move(*opened);
      nursery.spawn(crawl->main(*crawl->running_));
    }
    size_t left = 2 * kEndless;
    while ((!one.end_ || !other.end_) && left > 0 && loop.run_events(kStep) == kStep) left -= kStep;
    loop.abandon();
    bool ended = true;
    for (SimCrawl* crawl : {&one, &other}) {
      ended &= crawl->end_ && crawl->end_->reason == crawl::EndReason::finished;
      crawl->running_.reset();
      crawl->blocking_.reset();
    }
    return ended;
  }

  const crawl::CrawlEnd& end() const { return *end_; }
  // Whether the latest process ended the crawl, rather than died.
  bool has_ended() const { return end_.has_value(); }
  size_t lives() const { return lives_; }
  size_t events() const { return events_; }
  // Called while the crawl runs, every few events.
  std::function<void(aio::SimLoop&, crawl::Operator&)> on_pulse;
  // What whoever resumes it says anew.
  std::function<Result<void>(config::Settings&)> overlay;
  // What becomes of the parts of a lane before it is made.
  std::function<visit::Lane::Parts(aio::SimLoop&, visit::Lane::Parts)> on_lane;
  // Called when the crawl has ended, while it is still in memory.
  std::function<void(aio::SimLoop&)> on_end;
  // Everything is as it must be.
  void verify(const Leniency& leniency = {});
  // What `verify` has found wrong, for reports.
  struct Damage {
    uint64_t lost = 0;     // URLs without capture
    uint64_t twice = 0;    // captures more than once
    uint64_t invalid = 0;  // findings in WARC files
    uint64_t log = 0;      // lines of crawl.log missing, twice or torn
  } damage;

  SimDisk disk;
  SimSite site;
  config::Settings settings;
  std::string collection = kCollection;
  std::string checkpoint;     // to go back to, in the next process
  std::string launch_before;  // the first one, if this is the second
  crawl::MissingFiles missing = crawl::MissingFiles::refused;
  std::string from_checkpoint;                   // for a new launch: the folder of one
  std::set<std::string, std::less<>> done;       // URLs that are done in it: not to be visited again
  std::optional<crawl::RecoverOptions> recover;  // for a new launch
  std::optional<crawl::RecoverOptions> recover_when_resumed;
  aio::SimNetworkSettings network;
  std::vector<std::string> notices;
  std::vector<std::string> told;  // what people should know, in the course of the crawls
  unsigned lanes = 0;             // of the latest process
  uint64_t groups_kept = 64;
  uint64_t index_segment = 64 << 20;
  store::KvOpener open_kv;                                              // otherwise the disk's own
  std::function<Result<visit::Lane::Parts>(aio::SimLoop&)> make_parts;  // of a web other than `site`
  crawl::FrontierFactory open_frontier = crawl::open_persistent_frontier;

 private:
  bool run(aio::SimLoop& loop, size_t events) {
    auto opened = open(loop);
    if (!opened) {
      refusal = opened.error().message;
      EXPECT_TRUE(disk.power_is_off() || faulty) << opened.error().message;
      return false;
    }
    running_ = std::move(*opened);
    for (const std::string& notice : running_->notices()) notices.push_back(notice);
    running_->on_notice([this](const std::string& notice) { told.push_back(notice); });
    end_.reset();
    aio::Nursery nursery;
    nursery.spawn(main(*running_));
    size_t left = events;
    while (!end_ && left > 0 && !disk.power_is_off()) {
      const size_t step = std::min<size_t>(left, kStep);
      if (loop.run_events(step) < step) break;
      left -= step;
      if (on_pulse && !end_) on_pulse(loop, running_->operations());
    }
    EXPECT_TRUE(end_ || left < kEndless - kStep || disk.power_is_off()) << "nothing left to run";
    EXPECT_TRUE(end_ || events < kEndless || left > 0) << "the crawl stands still: " << describe(loop);
    const bool ended = end_ && end_->reason == crawl::EndReason::finished && !disk.power_is_off();
    if (end_ && !ended)
      EXPECT_TRUE(disk.power_is_off() || faulty || end_->reason != crawl::EndReason::failed) << end_->text;
    if (end_ && on_end && !disk.power_is_off()) on_end(loop);
    loop.abandon();
    return ended;
  }

  // What it waits for.
  std::string describe(aio::SimLoop& loop) const {
    const crawl::CrawlStatus status = running_->status();
    std::string out = fmt::format("{} at {}: {} queued, {} visiting, {}\n", name_of(status.state),
                                  rfc3339(loop.clock().wall()), status.queued, status.visiting, status.waits_for);
    if (const auto due = running_->operations().frontier().next_due())
      out += fmt::format("next due in {}\n", format_duration(*due - loop.clock().steady()));
    for (const auto& queue : running_->operations().frontier().admin().queues(frontier::QueueOrder::wait, 10))
      out += fmt::format("{}: {} queued, {}, {}\n", queue.origin, queue.queued, to_string(queue.state),
                         format_duration(queue.wait));
    return out;
  }

  aio::Task<void> main(crawl::Crawl& running) { end_ = co_await running.run(); }

  Result<std::unique_ptr<crawl::Crawl>> open(aio::SimLoop& loop) {
    blocking_ = aio::make_sim_blocking(loop, std::chrono::milliseconds(30));
    crawl::LaunchOptions options;
    options.collection = collection;
    options.settings = settings;
    options.resume = true;
    options.overlay = overlay;
    options.checkpoint = checkpoint;
    options.missing = missing;
    options.recover = recover_when_resumed;
    const auto latest = collection::latest_launch(disk.files, collection);
    if (!launch_before.empty() && latest && *latest && (*latest)->name == launch_before) {
      options.resume = false;
      return crawl::Launcher::open(world(loop), options);
    }
    auto opened = crawl::Launcher::open(world(loop), options);
    // It died before there was anything to resume.
    if (opened || opened.error().code != ErrorCode::not_found) return opened;
    options.resume = false;
    options.checkpoint.clear();
    options.recover = recover;
    options.from_checkpoint = from_checkpoint;
    return crawl::Launcher::open(world(loop), options);
  }

  crawl::World world(aio::SimLoop& loop) {
    return crawl::World{
        .files = disk.files,
        .clock = loop.clock(),
        .open_kv = open_kv ? open_kv : disk.kv_opener(),
        .loop = loop,
        .blocking = *blocking_,
        .seed = disk.random.next(),
        .pid = std::to_string(100 + disk.random.below(3)),
        .hostname = "archive",
        .make_lane = [this, &loop](unsigned number, const config::Settings&) -> Result<visit::Lane::Parts> {
          lanes = number + 1;
          if (make_parts) return make_parts(loop);
          auto made = std::make_unique<aio::SimNetwork>(loop, network);
          site.serve_on(*made);
          visit::Lane::Parts parts{loop, std::move(made), dns::make_table_resolver(loop.clock(), SimSite::addresses()),
                                   0};
          return on_lane ? on_lane(loop, std::move(parts)) : std::move(parts);
        },
        .lanes = static_cast<unsigned>(1 + disk.random.below(3)),
        .groups_kept = groups_kept,
        .index_segment = index_segment,
        .factories = {.open_frontier = open_frontier}};
  }

 public:
  // The disk fails without a power cut: then a process may also end with an error.
  bool faulty = false;
  std::string refusal;  // why the latest process that did not begin did not

 private:
  WallTime wall_;
  std::unique_ptr<aio::Blocking> blocking_;
  std::unique_ptr<crawl::Crawl> running_;
  std::optional<crawl::CrawlEnd> end_;
  size_t lives_ = 0, events_ = 0;
};

}  // namespace caddis::testing

#include "sim/verify.h"
