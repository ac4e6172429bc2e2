// Lanes that stand still: on threads of their own, and through whole crawls of the simulated world.

#include "caddis/crawl/lane_watch.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <semaphore>

#include "caddis/aio/loop_thread.h"
#include "caddis/crawl/hung_urls.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/store/rocks_kv.h"
#include "sim/crawl.h"
#include "support/testdata.h"

namespace caddis::crawl {
namespace {

using namespace std::chrono_literals;
using ::testing::Each;
using ::testing::HasSubstr;
using testing::SimCrawl;

constexpr const char* kStuck = "192.0.2.9";

TEST(HungUrls, AreGivenUpTheSecondTime) {
  HungUrls urls;
  urls.load("http://a.test/", "1 decode");
  urls.load("http://b.test/", "nonsense");
  EXPECT_EQ(urls.verdict("http://a.test/"), "");
  EXPECT_EQ(urls.add("http://a.test/", "extract"), "2 extract");
  EXPECT_EQ(urls.verdict("http://a.test/"), "hung:2:extract");
  EXPECT_EQ(urls.add("http://b.test/", "links"), "1 links");
  EXPECT_TRUE(urls.forget("http://a.test/"));
  EXPECT_FALSE(urls.forget("http://a.test/"));
  EXPECT_EQ(urls.verdict("http://a.test/"), "");
}

// A network of which nothing but connecting is asked.
class ConnectingNetwork : public aio::Network {
 public:
  using Connected = Result<std::unique_ptr<aio::Stream>>;
  Result<std::unique_ptr<aio::Listener>> listen(const aio::Endpoint&) override {
    return fail(ErrorCode::unsupported, "");
  }
  Result<std::unique_ptr<aio::Listener>> listen_unix(const std::string&) override {
    return fail(ErrorCode::unsupported, "");
  }
  aio::Task<Connected> connect_unix(std::string, SteadyTime) override { co_return fail(ErrorCode::unsupported, ""); }
};

// --- on threads

// Who connects to the stuck host holds its thread up, until it is released; nobody else answers.
class HoldingNetwork final : public ConnectingNetwork {
 public:
  explicit HoldingNetwork(std::binary_semaphore& release) : release_(release) {}
  aio::Task<Connected> connect(aio::Endpoint to, const aio::TlsOptions*, SteadyTime, uint64_t, std::string) override {
    if (to.address == kStuck) release_.acquire();
    co_return fail(ErrorCode::io, "refused");
  }

 private:
  std::binary_semaphore& release_;
};

aio::Task<void> run_crawl(Crawl& running, CrawlEnd& end) { end = co_await running.run(); }

TEST(LanesOnThreads, ACrawlEndsThoughOneDoesNotComeBack) {
  const testing::TempDir folder;
  const auto loop = aio::make_loop(system_clock());
  const auto blocking = aio::make_blocking(1);
  std::binary_semaphore release(0);
  std::vector<std::unique_ptr<aio::LoopThread>> threads;
  const auto make_lane = [&](unsigned, const config::Settings&) -> Result<visit::Lane::Parts> {
    threads.push_back(std::make_unique<aio::LoopThread>(system_clock()));
    return visit::Lane::Parts{
        threads.back()->loop(), std::make_unique<HoldingNetwork>(release),
        dns::make_table_resolver(system_clock(), {{"stuck.test", {kStuck}}, {"free.test", {"192.0.2.1"}}}), 0};
  };
  World world{.files = io::real_files(),
              .clock = system_clock(),
              .open_kv = store::rocks_opener(),
              .loop = *loop,
              .blocking = *blocking,
              .seed = 1,
              .pid = "1",
              .hostname = "archive",
              .make_lane = make_lane,
              .lanes = 2,
              .lane_patience = 2s};
  LaunchOptions options;
  options.collection = folder / "c";
  options.settings.crawl.seeds = {"http://stuck.test/x", "http://free.test/y"};
  options.settings.crawl.contact = "https://archive.test/";
  options.settings.robots.policy = robots::RobotsPolicy::ignore;
  options.settings.crawl.stop_grace = 100ms;
  options.settings.limits.min_free_space = 0;
  auto opened = Launcher::open(world, options);
  ASSERT_TRUE(opened) << opened.error().message;
  const auto running = *std::move(opened);
  running->on_tick([&](const CrawlStatus& status) {
    if (status.standing.empty()) return;
    EXPECT_EQ(status.standing[0].url, "http://stuck.test/x");
    EXPECT_EQ(status.standing[0].step, "connect");
    running->operations().stop("seen");
  });
  CrawlEnd end;
  for (const auto& thread : threads) thread->start();
  aio::run_to_end(*loop, run_crawl(*running, end));
  EXPECT_EQ(end.reason, EndReason::stopped) << end.text;
  EXPECT_THAT(end.text, HasSubstr("left behind: lane"));
  EXPECT_TRUE(running->has_left_lanes());
  EXPECT_NE(running->has_left(0), running->has_left(1));
  const auto progress = io::real_files().read_all(running->state().launch.progress_log());
  ASSERT_TRUE(progress);
  EXPECT_THAT(*progress, HasSubstr("at connect of http://stuck.test/x"));
  const auto report = io::real_files().read_all(running->state().launch.reports() + "/crawl-report.txt");
  ASSERT_TRUE(report);
  EXPECT_THAT(*report, HasSubstr("seen; left behind: lane"));
  // It comes back in the end: too late to change anything.
  release.release();
  for (const auto& thread : threads) thread->stop();
}

// --- simulated

// A loop that can stand still: what is posted to it waits.
class StandingLoop final : public aio::Loop {
 public:
  explicit StandingLoop(aio::Loop& loop) : loop_(loop) {}
  void post(std::function<void()> work) override {
    if (stands_)
      waiting_.push_back(std::move(work));
    else
      loop_.post([this, work = std::move(work)]() mutable {
        if (stands_)
          waiting_.push_back(std::move(work));
        else
          work();
      });
  }
  TimerId at(SteadyTime when, std::function<void()> work) override { return loop_.at(when, std::move(work)); }
  void cancel(TimerId timer) override { loop_.cancel(timer); }
  void run() override { loop_.run(); }
  void stop() override { loop_.stop(); }
  const Clock& clock() const override { return loop_.clock(); }

  void stand() { stands_ = true; }
  void go_on() {
    stands_ = false;
    for (auto& work : std::exchange(waiting_, {})) loop_.post(std::move(work));
  }

 private:
  aio::Loop& loop_;
  bool stands_ = false;
  std::vector<std::function<void()>> waiting_;
};

// Nothing goes on with what it has read or written while the loop stands still.
class StandingStream final : public aio::Stream {
 public:
  StandingStream(StandingLoop& loop, std::unique_ptr<aio::Stream> stream) : loop_(loop), stream_(std::move(stream)) {}
  aio::Task<Result<size_t>> read(char* buffer, size_t size) override {
    auto got = co_await stream_->read(buffer, size);
    co_await aio::resume_on(loop_);
    co_return got;
  }
  aio::Task<Result<void>> write(std::string_view bytes) override {
    auto written = co_await stream_->write(bytes);
    co_await aio::resume_on(loop_);
    co_return written;
  }
  void set_deadline(SteadyTime when) override { stream_->set_deadline(when); }
  void close() override { stream_->close(); }
  aio::Endpoint remote() const override { return stream_->remote(); }
  const aio::TlsInfo* tls() const override { return stream_->tls(); }
  bool is_quiet() override { return stream_->is_quiet(); }

 private:
  StandingLoop& loop_;
  std::unique_ptr<aio::Stream> stream_;
};

// Who connects to the stuck host lets its loop stand still, for some time or for ever.
class StandingNetwork final : public ConnectingNetwork {
 public:
  StandingNetwork(aio::SimLoop& sim, StandingLoop& loop, std::unique_ptr<aio::Network> others,
                  std::optional<Duration> time)
      : sim_(sim), loop_(loop), others_(std::move(others)), time_(time) {}
  aio::Task<Connected> connect(aio::Endpoint to, const aio::TlsOptions* tls, SteadyTime deadline, uint64_t ticket,
                               std::string from) override {
    if (to.address == kStuck) {
      loop_.stand();
      co_await aio::sleep_for(sim_, time_.value_or(24h * 365));
      loop_.go_on();
      co_await aio::resume_on(loop_);
      co_return fail(ErrorCode::io, "refused");
    }
    auto connected = co_await others_->connect(to, tls, deadline, ticket, std::move(from));
    co_await aio::resume_on(loop_);
    if (!connected) co_return connected;
    co_return std::make_unique<StandingStream>(loop_, *std::move(connected));
  }
  void abort_connects() override { others_->abort_connects(); }

 private:
  aio::SimLoop& sim_;
  StandingLoop& loop_;
  std::unique_ptr<aio::Network> others_;
  const std::optional<Duration> time_;
};

class StandingLanes : public ::testing::TestWithParam<uint64_t> {
 protected:
  StandingLanes() : crawl_(GetParam()) {
    crawl_.settings.crawl.lanes = 2;
    crawl_.settings.crawl.seeds.emplace_back("http://stuck.test/x");
    crawl_.settings.robots.policy = robots::RobotsPolicy::ignore;
    crawl_.on_lane = [this](aio::SimLoop& sim, visit::Lane::Parts parts) {
      loops_.push_back(std::make_unique<StandingLoop>(sim));
      auto addresses = testing::SimSite::addresses();
      addresses["stuck.test"] = {kStuck};
      return visit::Lane::Parts{
          *loops_.back(), std::make_unique<StandingNetwork>(sim, *loops_.back(), std::move(parts.network), stands_for_),
          dns::make_table_resolver(sim.clock(), std::move(addresses)), 0};
    };
  }
  // Until something stands still, and what is found is on disk; then `then` decides.
  bool live_until_standing(std::function<void(Operator&)> then) {
    std::optional<SteadyTime> found;
    crawl_.on_pulse = [&found, then = std::move(then)](aio::SimLoop& loop, Operator& running) {
      const auto standing = running.status().standing;
      if (standing.empty()) return;
      EXPECT_EQ(standing[0].url, "http://stuck.test/x");
      EXPECT_EQ(standing[0].step, "connect");
      if (!found) found = loop.clock().steady();
      if (loop.clock().steady() - *found > 3s) then(running);
    };
    const bool ended = crawl_.live({});
    EXPECT_TRUE(found);
    crawl_.on_pulse = nullptr;
    return ended;
  }
  std::vector<std::string> logged(const std::string& url) {
    const auto launch = collection::latest_launch(crawl_.disk.files, SimCrawl::kCollection);
    const auto log = crawl_.disk.files.read_all((*launch)->crawl_log());
    std::vector<std::string> lines;
    for (const std::string_view line : split(*log, '\n')) {
      std::vector<std::string_view> fields = split(line, ' ');
      std::erase_if(fields, [](std::string_view field) { return field.empty(); });
      if (fields.size() == 12 && fields[3] == url) lines.emplace_back(line);
    }
    return lines;
  }

  SimCrawl crawl_;
  std::optional<Duration> stands_for_;
  std::vector<std::unique_ptr<StandingLoop>> loops_;
};

TEST_P(StandingLanes, WhatStopsThemAgainAndAgainIsGivenUp) {
  // Stopped, then dead: both count.
  EXPECT_FALSE(live_until_standing([](Operator& running) { running.stop("it stands still"); }));
  EXPECT_EQ(crawl_.end().reason, EndReason::stopped);
  EXPECT_THAT(crawl_.end().text, HasSubstr("left behind: lane"));
  EXPECT_TRUE(logged("http://stuck.test/x").empty());
  EXPECT_FALSE(live_until_standing([this](Operator&) { crawl_.disk.cut_power(); }));
  ASSERT_TRUE(crawl_.live({}));
  const auto lines = logged("http://stuck.test/x");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_THAT(lines[0], HasSubstr("    -5 "));
  EXPECT_THAT(lines[0], HasSubstr(" hung:2:connect"));
  // All else is captured, and once.
  for (const auto& [url, status] : crawl_.site.log())
    if (status > 0 && !url.starts_with("dns:") && !url.ends_with("/robots.txt") && !url.ends_with("/rules.txt"))
      EXPECT_EQ(logged(url).size(), 1u) << url;
}

// Nobody looks at it, and it has no limits.
TEST_P(StandingLanes, ACrawlThatWaitsForNothingElseStops) {
  bool told = false;
  crawl_.on_pulse = [&told](aio::SimLoop&, Operator& running) {
    told |= running.status().waits_for.starts_with("only visits of lanes that stand still are left");
  };
  for (int life = 0; life < 2; ++life) {
    told = false;
    EXPECT_FALSE(crawl_.live({}));
    EXPECT_TRUE(told);
    EXPECT_EQ(crawl_.end().reason, EndReason::stopped);
    EXPECT_THAT(crawl_.end().text,
                HasSubstr("nothing is left but visits of lanes that stand still; left behind: lane"));
    EXPECT_TRUE(logged("http://stuck.test/x").empty());
  }
  ASSERT_TRUE(crawl_.live({}));
  EXPECT_THAT(logged("http://stuck.test/x"), Each(HasSubstr(" hung:2:connect")));
}

TEST_P(StandingLanes, WhatTakesItsTimeCountsForNothing) {
  stands_for_ = 25s;
  crawl_.settings.politeness.host_failures = 1;
  size_t stood = 0;
  crawl_.on_pulse = [&](aio::SimLoop&, Operator& running) { stood += !running.status().standing.empty(); };
  ASSERT_TRUE(crawl_.live({}));
  EXPECT_GT(stood, 0u);
  EXPECT_THAT(logged("http://stuck.test/x"), Each(HasSubstr("    -2 ")));
  const auto kv = crawl_.disk.kv_opener()(
      (*collection::latest_launch(crawl_.disk.files, SimCrawl::kCollection))->store(), family_names());
  ASSERT_TRUE(kv) << kv.error().message;
  const auto rows = (*kv)->cursor(kMeta);
  rows->seek(kHungRow);
  EXPECT_FALSE(rows->valid() && rows->key().starts_with(kHungRow)) << rows->key();
}

INSTANTIATE_TEST_SUITE_P(Seeds, StandingLanes, ::testing::Values(1, 2, 3));

}  // namespace
}  // namespace caddis::crawl
