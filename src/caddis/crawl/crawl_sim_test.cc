// Whole crawls in the simulated world: undisturbed, stopped and resumed, and in a bad network. What disks and clocks do
// to them, and the power that goes at any moment, is the subject of tests/faults/.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "caddis/base/strings.h"
#include "caddis/collection/folders.h"
#include "caddis/collection/launch.h"
#include "sim/crawl.h"

namespace caddis::crawl {
namespace {

using testing::SimCrawl;

TEST(SimulatedCrawl, UndisturbedItCapturesAll) {
  SimCrawl crawl(1);
  ASSERT_TRUE(crawl.live({}));
  EXPECT_EQ(crawl.end().reason, EndReason::finished);
  crawl.verify();
  // Moments of death are drawn from about such a run.
  EXPECT_GT(crawl.events(), SimCrawl::kEvents / 2) << crawl.events();
  EXPECT_GT(crawl.disk.operations(), SimCrawl::kChanges / 2) << crawl.disk.operations();
}

// A setting that is not given again counts as it was stored.
TEST(SimulatedCrawl, ResumesWithItsLanes) {
  SimCrawl crawl(1);
  crawl.settings.crawl.lanes = 5;
  ASSERT_FALSE(crawl.live({SimCrawl::kEvents / 2, {}}));
  EXPECT_EQ(crawl.lanes, 5u);
  crawl.settings.crawl.lanes = 0;
  crawl.lanes = 0;
  ASSERT_TRUE(crawl.live({}));
  EXPECT_EQ(crawl.lanes, 5u);
  crawl.verify();
}

// Somebody has tidied up meanwhile.
TEST(SimulatedCrawl, MakesFoldersAnew) {
  SimCrawl crawl(1);
  ASSERT_FALSE(crawl.live({SimCrawl::kEvents / 2, {}}));
  const auto launch = collection::latest_launch(crawl.disk.files, SimCrawl::kCollection);
  ASSERT_TRUE(launch && *launch);
  const std::string collection = SimCrawl::kCollection;
  for (const std::string& folder : {(*launch)->reports(), collection + "/indexes", collection + "/pages"}) {
    collection::remove_tree(crawl.disk.files, folder);
    ASSERT_FALSE(crawl.disk.files.exists(folder)) << folder;
  }
  ASSERT_TRUE(crawl.live({}));
  crawl.verify();
  EXPECT_TRUE(crawl.disk.files.exists((*launch)->reports() + "/crawl-report.txt"));
}

// The web is no better: connections are refused, break off, and never answer, while the power fails.
TEST(SimulatedCrawl, SurvivesABadNetwork) {
  for (uint64_t seed = 1; seed <= 25; ++seed) {
    SCOPED_TRACE(seed);
    SimCrawl crawl(seed);
    crawl.network.refused = 20;
    crawl.network.reset = 40;
    crawl.network.stalled = 5;
    crawl.network.fault_within = 20'000;
    crawl.settings.politeness.url_retries = 20;
    crawl.settings.politeness.host_failures = 20;
    bool ended = false;
    for (int lives = 0; !ended && lives < 6; ++lives)
      ended = crawl.live({1 + crawl.disk.random.below(SimCrawl::kEvents), {}});
    if (!ended) ended = crawl.live({});
    ASSERT_TRUE(ended);
    crawl.verify();
    if (HasFailure()) return;
  }
}

// URLs move between lines all the time: none is lost or visited twice by that, whenever the power fails.
TEST(SimulatedCrawl, ByImportance) {
  for (uint64_t seed = 1; seed <= 25; ++seed) {
    SCOPED_TRACE(seed);
    SimCrawl crawl(seed);
    crawl.settings.frontier.order = frontier::UrlOrder::opic;
    crawl.settings.frontier.queues =
        seed % 2 == 0 ? frontier::QueueOrderPolicy::highest_url : frontier::QueueOrderPolicy::due;
    if (seed % 5 == 0) crawl.settings.politeness.visits_per_host = 3;
    bool ended = false;
    for (int lives = 0; !ended && lives < 5; ++lives)
      ended = crawl.live({1 + crawl.disk.random.below(SimCrawl::kEvents), {}});
    if (!ended) ended = crawl.live({});
    ASSERT_TRUE(ended);
    crawl.verify();
    if (HasFailure()) return;
  }
}

// Precedences from a file, all hosts in a few buckets, and slow fetches: what is captured stays the same.
TEST(SimulatedCrawl, WithPrecedencesBucketsAndLittleBandwidth) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    SimCrawl crawl(seed);
    ASSERT_TRUE(crawl.disk.files.make_dirs("/lists"));
    ASSERT_TRUE(crawl.disk.files.write_atomically("/lists/first", "http://a.test/p19 0\nhttp://b.test/p3 100\n"));
    crawl.settings.frontier.precedences = "/lists/first";
    if (seed % 2 == 0) crawl.settings.frontier.order = frontier::UrlOrder::opic;
    crawl.settings.politeness.group_assignment = frontier::GroupAssignment::bucket;
    crawl.settings.politeness.buckets = 2;
    crawl.settings.fetch.bandwidth = 50'000;
    bool ended = false;
    for (int lives = 0; !ended && lives < 3; ++lives)
      ended = crawl.live({1 + crawl.disk.random.below(SimCrawl::kEvents), {}});
    if (!ended) ended = crawl.live({});
    ASSERT_TRUE(ended);
    crawl.verify();
    if (HasFailure()) return;
  }
}

// In one sentence, in whichever words it was found out; and nothing else is taken for it.
TEST(SimulatedCrawl, ADiskThatIsFullAtTheStartIsSaidPlainly) {
  SimCrawl crawl(1);
  crawl.faulty = true;
  Error found{ErrorCode::no_space, "the quota of archivist is used up"};
  crawl.open_kv = [&](const std::string&, const std::vector<std::string>&) -> Result<std::unique_ptr<store::Kv>> {
    return std::unexpected(found);
  };
  EXPECT_FALSE(crawl.live({}));
  EXPECT_TRUE(crawl.refusal.starts_with("the disk of /archive/c is full")) << crawl.refusal;
  EXPECT_TRUE(crawl.refusal.contains("nothing is left of the crawl it began")) << crawl.refusal;
  found = {ErrorCode::io, "cannot write to /home/make room/No space left: Input/output error"};
  EXPECT_FALSE(crawl.live({}));
  EXPECT_EQ(crawl.refusal, found.message);
}

// It is tried some times, since others may have taken the room; then it is on record, and the crawl ends.
TEST(SimulatedCrawl, ABodyThatTheDiskCannotHoldIsGivenUp) {
  constexpr const char* kLarge = "http://a.test/large";
  constexpr size_t kMegabyte = 1 << 20;
  SimCrawl crawl(1);
  crawl.site.also_serve(kLarge, fmt::format("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
                                            24 * kMegabyte, std::string(24 * kMegabyte, 'x')));
  crawl.settings.crawl.seeds.emplace_back(kLarge);
  crawl.disk.files.set_free_space(30 * kMegabyte);
  int requests = 0;
  crawl.site.on_request = [&](const std::string& url, std::string_view) { requests += url == kLarge; };
  ASSERT_TRUE(crawl.live({}));
  EXPECT_EQ(crawl.end().reason, EndReason::finished);
  EXPECT_EQ(requests, 3);
  const auto launch = collection::latest_launch(crawl.disk.files, SimCrawl::kCollection);
  const std::string log = crawl.disk.files.read_all((*launch)->crawl_log()).value_or("");
  size_t lines = 0;
  for (const std::string_view line : split(log, '\n')) {
    if (!line.contains(kLarge)) continue;
    ++lines;
    EXPECT_TRUE(line.contains(" -3000 ") && line.contains("noRoom") && line.contains("3t")) << line;
  }
  EXPECT_EQ(lines, 1u);
  testing::Leniency leniency;
  leniency.may_appear = [](std::string_view, std::string_view url) { return url == kLarge; };
  crawl.verify(leniency);
}

// A list of millions of URLs takes its time.
TEST(SimulatedCrawl, ReadsPrecedencesOnceAtAStart) {
  SimCrawl crawl(1);
  ASSERT_TRUE(crawl.disk.files.make_dirs("/lists"));
  ASSERT_TRUE(crawl.disk.files.write_atomically("/lists/first", "http://a.test/p19 0\nhttp://b.test/p3 100\n"));
  crawl.settings.frontier.precedences = "/lists/first";
  crawl.disk.counted = "/lists/first";
  ASSERT_FALSE(crawl.live({SimCrawl::kEvents / 2, {}}));
  EXPECT_EQ(crawl.disk.reads_of_counted, 2u) << "all of it, and that there is no more";
  ASSERT_TRUE(crawl.live({}));
  EXPECT_EQ(crawl.disk.reads_of_counted, 4u);
  crawl.verify();
}

// Somebody stops it, again and again: each end is clean, and nothing is fetched twice or lost.
TEST(SimulatedCrawl, StopsAndResumes) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    SimCrawl crawl(seed);
    size_t lives = 0;
    for (bool ended = false; !ended; ++lives) {
      uint64_t pulses = 1 + crawl.disk.random.below(60);
      crawl.on_pulse = [&](aio::SimLoop&, Operator& running) {
        if (pulses > 0 && --pulses == 0) running.stop("interrupted");
      };
      ended = crawl.live({});
      ASSERT_TRUE(ended || crawl.end().reason == EndReason::stopped) << crawl.end().text;
      ASSERT_LT(lives, 1000u);
    }
    crawl.verify();
  }
}

// Known URLs that have no room in memory go to disk as they come: the crawl does not wait for the end of a group.
TEST(SimulatedCrawl, AFullSeenSetDoesNotHoldItUp) {
  SimCrawl crawl(1);
  crawl.settings.memory.seen = 100;
  std::optional<SteadyTime> behind_since;
  Duration longest{};
  size_t waits = 0;
  crawl.on_pulse = [&](aio::SimLoop& loop, Operator& running) {
    const SteadyTime now = loop.clock().steady();
    const bool is_behind = running.status().waits_for.contains("set of known URLs");
    if (behind_since) longest = std::max(longest, now - *behind_since);
    waits += is_behind && !behind_since;
    if (!is_behind) behind_since.reset();
    if (is_behind && !behind_since) behind_since = now;
  };
  ASSERT_TRUE(crawl.live({}));
  crawl.verify();
  EXPECT_GT(waits, 0u);
  EXPECT_LT(longest, std::chrono::milliseconds(500)) << waits << " waits, up to " << format_duration(longest);
}

// What a crawl has put on the loop must not outlive it.
TEST(SimulatedCrawl, AnEndedCrawlLeavesNoTimer) {
  SimCrawl crawl(1);
  crawl.settings.crawl.stop_grace = std::chrono::hours(100);
  crawl.on_pulse = [](aio::SimLoop&, Operator& running) {
    if (running.status().visiting > 0) running.stop("interrupted");
  };
  bool looked = false;
  crawl.on_end = [&](aio::SimLoop& loop) {
    looked = true;
    const SteadyTime ended = loop.clock().steady();
    loop.run_events(SimCrawl::kEndless);  // time jumps from timer to timer
    EXPECT_LT(loop.clock().steady() - ended, std::chrono::hours(10));
  };
  crawl.live({});
  EXPECT_TRUE(looked);
  EXPECT_EQ(crawl.end().reason, EndReason::stopped);
}

}  // namespace
}  // namespace caddis::crawl
