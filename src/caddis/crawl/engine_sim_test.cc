// The promise of the commit protocol, for whole crawls: whenever the power goes, a crawl that is resumed ends with
// exactly what it would have captured undisturbed, once each; every file valid to its last byte.
//
// CADDIS_CRASH_MOMENTS: how many deaths to try (1,000 by default); CADDIS_CRASH_SEED: where to begin.

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "sim/crawl.h"

namespace caddis::crawl {
namespace {

using testing::SimCrawl;

// About what an undisturbed run has: moments of death are drawn below.
constexpr uint64_t kEvents = 800;
constexpr uint64_t kChanges = 160;

uint64_t number_from(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST(SimulatedCrawl, UndisturbedItCapturesAll) {
  SimCrawl crawl(1);
  ASSERT_TRUE(crawl.live({}));
  EXPECT_EQ(crawl.end().reason, EndReason::finished);
  crawl.verify();
  // The moments of death below are drawn from about such a run.
  EXPECT_GT(crawl.events(), kEvents / 2) << crawl.events();
  EXPECT_GT(crawl.disk.operations(), kChanges / 2) << crawl.disk.operations();
}

// Deaths at any moment: between two events of the loop, or at any change of the disk, recovery included. One campaign
// after the other, each a crawl with several deaths, until so many have been died.
TEST(SimulatedCrawl, SurvivesAThousandPowerCuts) {
  const uint64_t moments = number_from("CADDIS_CRASH_MOMENTS", 1000);
  uint64_t seed = number_from("CADDIS_CRASH_SEED", 1);
  uint64_t died = 0, tails = 0, files = 0;
  for (; died < moments; ++seed) {
    SCOPED_TRACE("CADDIS_CRASH_SEED=" + std::to_string(seed));
    SimCrawl crawl(seed);
    Random& random = crawl.disk.random;
    const uint64_t deaths = 4 + random.below(12);
    bool ended = false;
    while (!ended && crawl.disk.crashes() < deaths) {
      SimCrawl::Death death;
      if (random.below(2) == 0)
        death.events = 1 + random.below(1 + random.below(kEvents));
      else
        death.changes = random.below(1 + random.below(kChanges));
      ended = crawl.live(death);
    }
    while (!ended && !HasFailure()) ended = crawl.live({});
    crawl.verify();
    died += crawl.disk.crashes();
    for (const std::string& notice : crawl.notices) ++(notice.contains("not committed") ? tails : files);
    if (HasFailure()) return;
  }
  // The deaths were worth dying: some left tails behind, others whole files.
  EXPECT_TRUE(moments < 100 || (tails > 0 && files > 0)) << tails << " tails, " << files << " files";
}

// A disk that fails and recovers, without a power cut: the crawl waits, goes on, and loses nothing.
TEST(SimulatedCrawl, WaitsForADiskThatFails) {
  using Operation = io::MemoryFiles::Operation;
  for (uint64_t seed = 1; seed <= number_from("CADDIS_FAULT_CAMPAIGNS", 25); ++seed) {
    SCOPED_TRACE(seed);
    SimCrawl crawl(seed);
    Random& random = crawl.disk.random;
    for (const Operation operation : {Operation::append, Operation::sync, Operation::sync_dir})
      for (int fault = 0; fault < 6; ++fault) {
        const char* const paths[] = {"crawl.log", "archive", "seen", "cdx-journal", "pages", ""};
        crawl.disk.files.inject_failure(operation, 1 + random.below(1 + random.below(20)), paths[fault]);
      }
    crawl.faulty = true;
    bool ended = false;
    // Now and then the fault hits what can only end the crawl, such as its beginning: then it is resumed.
    for (int lives = 0; !ended && lives < 30; ++lives) {
      SimCrawl::Death death;
      if (random.below(2) == 0) death.events = kEvents / 8 + random.below(kEvents);
      ended = crawl.live(death);
    }
    ASSERT_TRUE(ended);
    crawl.verify();
    if (HasFailure()) return;
  }
}

// What was seen, indexed and listed before a sync failed and after it, all of it counts when the crawl is resumed.
TEST(SimulatedCrawl, RemembersWhatWentOnInAnotherFile) {
  bool went_on = false;
  for (uint64_t seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE(seed);
    SimCrawl crawl(seed);
    for (const char* log : {"seen", "cdx-journal", "pages.jsonl"})
      crawl.disk.files.inject_failure(io::MemoryFiles::Operation::sync, 2 + seed % 3, log);
    bool ended = crawl.live({kEvents / 3 + seed * kEvents / 50, {}});
    if (!ended) ended = crawl.live({});
    ASSERT_TRUE(ended);
    crawl.verify();
    if (HasFailure()) return;
    const auto folders = crawl.disk.files.list(std::string(SimCrawl::kCollection) + "/crawls");
    for (const auto& folder : *folders)
      went_on |=
          crawl.disk.files.exists(std::string(SimCrawl::kCollection) + "/crawls/" + folder.name + "/state/seen.2");
  }
  EXPECT_TRUE(went_on);
}

TEST(SimulatedCrawl, WaitsForRoomOnTheDisk) {
  for (uint64_t seed = 1; seed <= number_from("CADDIS_FAULT_CAMPAIGNS", 25); ++seed) {
    SCOPED_TRACE(seed);
    SimCrawl crawl(seed);
    // Either the crawl notices in time, or the disk is full to the last byte.
    crawl.settings.crawl.min_free_space = seed % 2 == 0 ? 200'000 : 0;
    crawl.disk.files.set_free_space(20'000 + crawl.disk.random.below(500'000));
    bool waited = false;
    std::optional<SteadyTime> since;
    crawl.on_pulse = [&](aio::SimLoop& loop, Engine& engine) {
      if (engine.status().waits_for.empty()) return;
      waited = true;
      if (!since) since = loop.clock().steady();
      if (loop.clock().steady() - *since < std::chrono::seconds(30)) return;
      crawl.disk.files.set_free_space(10'000'000);
    };
    EXPECT_TRUE(crawl.live({})) << crawl.end().text;
    EXPECT_TRUE(waited);
    crawl.verify();
    if (HasFailure()) return;
  }
}

// A setting that is not given again counts as it was stored.
TEST(SimulatedCrawl, ResumesWithItsLanes) {
  SimCrawl crawl(1);
  crawl.settings.crawl.lanes = 5;
  ASSERT_FALSE(crawl.live({kEvents / 2, {}}));
  EXPECT_EQ(crawl.lanes, 5u);
  crawl.settings.crawl.lanes = 0;
  crawl.lanes = 0;
  ASSERT_TRUE(crawl.live({}));
  EXPECT_EQ(crawl.lanes, 5u);
  crawl.verify();
}

// The web is no better: connections are refused, break off, and never answer, while the power fails.
TEST(SimulatedCrawl, SurvivesABadNetwork) {
  for (uint64_t seed = 1; seed <= number_from("CADDIS_FAULT_CAMPAIGNS", 25); ++seed) {
    SCOPED_TRACE(seed);
    SimCrawl crawl(seed);
    crawl.network.refused = 20;
    crawl.network.reset = 40;
    crawl.network.stalled = 5;
    crawl.network.fault_within = 20'000;
    crawl.settings.politeness.url_retries = 20;
    crawl.settings.politeness.host_failures = 20;
    bool ended = false;
    for (int lives = 0; !ended && lives < 6; ++lives) ended = crawl.live({1 + crawl.disk.random.below(kEvents), {}});
    if (!ended) ended = crawl.live({});
    ASSERT_TRUE(ended);
    crawl.verify();
    if (HasFailure()) return;
  }
}

// Somebody stops it, again and again: each end is clean, and nothing is fetched twice or lost.
TEST(SimulatedCrawl, StopsAndResumes) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    SimCrawl crawl(seed);
    size_t lives = 0;
    for (bool ended = false; !ended; ++lives) {
      uint64_t pulses = 1 + crawl.disk.random.below(60);
      crawl.on_pulse = [&](aio::SimLoop&, Engine& engine) {
        if (pulses > 0 && --pulses == 0) engine.stop("interrupted");
      };
      ended = crawl.live({});
      ASSERT_TRUE(ended || crawl.end().reason == EndReason::stopped) << crawl.end().text;
      ASSERT_LT(lives, 1000u);
    }
    crawl.verify();
  }
}

// What an engine has put on the loop must not outlive it.
TEST(SimulatedCrawl, AnEndedCrawlLeavesNoTimer) {
  SimCrawl crawl(1);
  crawl.settings.crawl.stop_grace = std::chrono::hours(100);
  crawl.on_pulse = [](aio::SimLoop&, Engine& engine) {
    if (engine.status().visiting > 0) engine.stop("interrupted");
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
