// A recovery log taken over in the simulated world, while the power fails: what it says is finished is never visited,
// what it says waits is, once.

#include <gtest/gtest.h>

#include "caddis/crawl/checkpoint.h"
#include "caddis/io/gzip.h"
#include "sim/crawl.h"

namespace caddis::crawl {
namespace {

using testing::SimCrawl;

constexpr const char* kLog = "/frontier.recover.gz";

// Pages and images of the site as another crawl would have queued them, a member for each few lines.
void write_log(SimCrawl& crawl, std::string_view finished) {
  std::string bytes, lines;
  for (const auto& [url, response] : crawl.site.captures()) {
    const bool is_image = url.ends_with(".png");
    if (!is_image && url.find("/p") == std::string::npos) continue;
    lines += "F+ " + url + (is_image ? " LE" : " L") + " http://a.test/p0\n";
    if (url == finished) lines += "Fs " + url + " L http://a.test/p0\n";
    if (lines.size() < 500) continue;
    bytes += io::gzip_member(lines, io::GzipEffort::fast);
    lines.clear();
  }
  bytes += io::gzip_member(lines + "nonsense\n", io::GzipEffort::fast);
  ASSERT_TRUE(crawl.disk.files.write_atomically(kLog, bytes));
}

TEST(SimulatedRecovery, SurvivesPowerCuts) {
  for (uint64_t seed = 1; seed <= 15; ++seed) {
    SCOPED_TRACE(seed);
    SimCrawl crawl(seed);
    write_log(crawl, "");
    crawl.recover = RecoverOptions{kLog};
    crawl.settings.crawl.recovery_log = true;
    bool ended = false;
    for (int lives = 0; !ended && lives < 8; ++lives) {
      SimCrawl::Death death;
      if (crawl.disk.random.below(2) == 0)
        death.events = 1 + crawl.disk.random.below(200);
      else
        death.changes = crawl.disk.random.below(120);
      ended = crawl.live(death);
    }
    if (!ended) ended = crawl.live({});
    ASSERT_TRUE(ended);
    crawl.verify();
    if (HasFailure()) return;
    const auto launch = collection::latest_launch(crawl.disk.files, SimCrawl::kCollection);
    const auto report = crawl.disk.files.read_all((*launch)->reports() + "/recovery-report.txt");
    ASSERT_TRUE(report);
    EXPECT_NE(report->find("1 line is bad"), std::string::npos) << *report;
  }
}

TEST(SimulatedRecovery, WhatIsFinishedIsNotVisited) {
  SimCrawl crawl(1);
  const std::string finished = "http://a.test/p1";
  write_log(crawl, finished);
  crawl.recover = RecoverOptions{kLog};
  ASSERT_TRUE(crawl.live({}));
  const auto launch = collection::latest_launch(crawl.disk.files, SimCrawl::kCollection);
  const auto log = crawl.disk.files.read_all((*launch)->crawl_log());
  ASSERT_TRUE(log);
  EXPECT_EQ(log->find(" " + finished + " "), std::string::npos);
  EXPECT_NE(log->find(" http://a.test/p3 "), std::string::npos);  // only the log knew of it: p1 links to it
}

// What waits in the log waits afterwards, though the crawl may visit nothing: it is there when the limit is raised.
TEST(SimulatedRecovery, OfACrawlAtItsLimitIsReadAllTheSame) {
  for (const config::AtLimit at_limit : {config::AtLimit::end, config::AtLimit::pause, config::AtLimit::block}) {
    SCOPED_TRACE(static_cast<int>(at_limit));
    SimCrawl crawl(1);
    crawl.settings.limits.max_documents = 3;
    ASSERT_FALSE(crawl.live({}));
    ASSERT_EQ(crawl.end().reason, EndReason::limit);
    ASSERT_TRUE(crawl.disk.files.write_atomically(kLog, "F+ http://a.test/only-in-the-log L http://a.test/p0\n"));
    crawl.recover_when_resumed = RecoverOptions{kLog};
    crawl.overlay = [&](config::Settings& settings) -> Result<void> {
      settings.limits.at_limit = at_limit;
      return {};
    };
    std::string paused;
    crawl.on_pulse = [&](aio::SimLoop&, Operator& running) {
      if (running.status().state != RunState::paused) return;
      paused = running.status().waits_for;
      running.stop("enough");
    };
    ASSERT_FALSE(crawl.live({}));
    EXPECT_EQ(paused.contains("max-documents"), at_limit == config::AtLimit::pause) << paused;
    const auto launch = collection::latest_launch(crawl.disk.files, SimCrawl::kCollection);
    const auto report = crawl.disk.files.read_all((*launch)->reports() + "/recovery-report.txt");
    ASSERT_TRUE(report);
    EXPECT_NE(report->find("1 waits"), std::string::npos) << *report;
    EXPECT_FALSE(crawl.disk.files.exists((*launch)->recovery_note()));
    if (at_limit == config::AtLimit::block) continue;  // it is given up with all else that waits
    crawl.recover_when_resumed.reset();
    crawl.overlay = [](config::Settings& settings) -> Result<void> {
      settings.limits.max_documents = 0;
      return {};
    };
    ASSERT_TRUE(crawl.live({})) << crawl.end().text;
    const auto log = crawl.disk.files.read_all((*launch)->crawl_log());
    ASSERT_TRUE(log);
    EXPECT_NE(log->find(" http://a.test/only-in-the-log "), std::string::npos);
  }
}

// Stopped before it is through, it is read when the crawl goes on; another one in its place is no secret.
TEST(SimulatedRecovery, IsGoneOnWithWhenItWasStopped) {
  SimCrawl crawl(1);
  const std::string first = "F+ http://a.test/first L http://a.test/p0\nE " + std::string(500'000, 'x') + "\n";
  ASSERT_TRUE(crawl.disk.files.write_atomically(kLog, first));
  ASSERT_TRUE(crawl.disk.files.write_atomically("/other.gz", "F+ http://a.test/second L http://a.test/p0\n"));
  crawl.recover = RecoverOptions{kLog};
  crawl.on_pulse = [](aio::SimLoop&, Operator& running) { running.stop("enough"); };
  ASSERT_FALSE(crawl.live({}));
  ASSERT_EQ(crawl.told.size(), 1u);
  EXPECT_TRUE(crawl.told.front().contains("/frontier.recover.gz is not taken over whole")) << crawl.told.front();
  crawl.on_pulse = nullptr;
  crawl.recover_when_resumed = RecoverOptions{"/other.gz"};
  ASSERT_TRUE(crawl.live({})) << crawl.end().text;
  ASSERT_FALSE(crawl.notices.empty());
  EXPECT_TRUE(crawl.notices.back().contains("give --recover /frontier.recover.gz again")) << crawl.notices.back();
  crawl.recover_when_resumed = RecoverOptions{kLog};
  ASSERT_TRUE(crawl.live({})) << crawl.end().text;
  const auto launch = collection::latest_launch(crawl.disk.files, SimCrawl::kCollection);
  const auto log = crawl.disk.files.read_all((*launch)->crawl_log());
  ASSERT_TRUE(log);
  for (const char* url : {" http://a.test/first ", " http://a.test/second "})
    EXPECT_NE(log->find(url), std::string::npos) << url;
}

TEST(SimulatedRecovery, OfSomethingElseIsRefused) {
  SimCrawl crawl(1);
  ASSERT_TRUE(crawl.disk.files.write_atomically(kLog, "http://a.test/p3\nhttp://a.test/p4\n"));
  crawl.recover = RecoverOptions{kLog};
  crawl.faulty = true;
  EXPECT_FALSE(crawl.live({}));
  EXPECT_TRUE(crawl.refusal.contains("/frontier.recover.gz is no recovery log")) << crawl.refusal;
  EXPECT_TRUE(crawl.refusal.contains("'http://a.test/p3'")) << crawl.refusal;
  EXPECT_FALSE(*collection::latest_launch(crawl.disk.files, SimCrawl::kCollection)) << "no launch is begun";
}

// Nothing is visited before it is through, however long that takes.
TEST(SimulatedRecovery, OfALargeLogIsNotIdleness) {
  SimCrawl crawl(1);
  crawl.settings.limits.max_idle = std::chrono::hours(1);
  std::string log = "F+ http://a.test/p3 L http://a.test/p0\n";
  // Pieces that take their time and say nothing.
  for (int i = 0; i < 400; ++i) log += "E " + std::string(120'000, 'x') + "\n";
  ASSERT_TRUE(crawl.disk.files.write_atomically(kLog, log));
  crawl.recover = RecoverOptions{kLog};
  std::optional<SteadyTime> began;
  Duration took{};
  crawl.on_pulse = [&](aio::SimLoop& loop, Operator& running) {
    if (!began) began = loop.clock().steady();
    const CrawlStatus status = running.status();
    if (!status.waits_for.contains("recovery log")) return;
    took = loop.clock().steady() - *began;
    ASSERT_EQ(status.limits.size(), 1u);
    EXPECT_EQ(status.limits.front().text, "max-idle: 0s of 1h");
  };
  ASSERT_TRUE(crawl.live({})) << crawl.end().text;
  EXPECT_GT(took, std::chrono::seconds(4));
  crawl.verify();
}

}  // namespace
}  // namespace caddis::crawl
