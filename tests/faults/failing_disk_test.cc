// A disk that fails and recovers: full, refusing writes or syncs, or with a folder that cannot be reached for a while.
// The crawl waits, goes on, and loses nothing; a file whose sync failed is never synced again.
//
// CADDIS_FAULT_CAMPAIGNS: crawls of each series (25 by default); CADDIS_CRASH_SEED: where to begin.
#include <optional>

#include "faults/campaign.h"

namespace caddis::testing {
namespace {

using crawl::Operator;

uint64_t campaigns() { return number_from("CADDIS_FAULT_CAMPAIGNS", 25); }

// A disk that fails and recovers, without a power cut: the crawl waits, goes on, and loses nothing.
TEST(FailingDisk, IsWaitedFor) {
  using Operation = io::MemoryFiles::Operation;
  Series series;
  for (uint64_t seed = first_seed(); seed < first_seed() + campaigns(); ++seed) {
    SCOPED_TRACE("CADDIS_CRASH_SEED=" + std::to_string(seed));
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
      if (random.below(2) == 0) death.events = SimCrawl::kEvents / 8 + random.below(SimCrawl::kEvents);
      ended = crawl.live(death);
    }
    ASSERT_TRUE(ended);
    crawl.verify();
    series.add(crawl);
    ++series.moments;
    if (::testing::Test::HasFailure()) return;
  }
}

// What was seen, indexed and listed before a sync failed and after it, all of it counts when the crawl is resumed.
TEST(FailingDisk, WhatWentOnInAnotherFileIsRemembered) {
  bool went_on = false;
  Series series;
  for (uint64_t seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE("CADDIS_CRASH_SEED=" + std::to_string(seed));
    SimCrawl crawl(seed);
    for (const char* log : {"seen", "cdx-journal", "pages.jsonl"})
      crawl.disk.files.inject_failure(io::MemoryFiles::Operation::sync, 2 + seed % 3, log);
    bool ended = crawl.live({SimCrawl::kEvents / 3 + seed * SimCrawl::kEvents / 50, {}});
    if (!ended) ended = crawl.live({});
    ASSERT_TRUE(ended);
    crawl.verify();
    series.add(crawl);
    ++series.moments;
    if (::testing::Test::HasFailure()) return;
    const auto folders = crawl.disk.files.list(std::string(SimCrawl::kCollection) + "/crawls");
    for (const auto& folder : *folders)
      went_on |=
          crawl.disk.files.exists(std::string(SimCrawl::kCollection) + "/crawls/" + folder.name + "/state/seen.2");
  }
  EXPECT_TRUE(went_on);
}

TEST(FailingDisk, RoomIsWaitedFor) {
  Series series;
  for (uint64_t seed = first_seed(); seed < first_seed() + campaigns(); ++seed) {
    SCOPED_TRACE("CADDIS_CRASH_SEED=" + std::to_string(seed));
    SimCrawl crawl(seed);
    // Either the crawl notices in time, or the disk is full to the last byte.
    crawl.settings.limits.min_free_space = seed % 2 == 0 ? 200'000 : 0;
    // There is room for what a launch begins with: its settings alone are 22 KB, and stand in a file and in the store.
    crawl.disk.files.set_free_space(60'000 + crawl.disk.random.below(500'000));
    bool waited = false;
    std::optional<SteadyTime> since;
    crawl.on_pulse = [&](aio::SimLoop& loop, Operator& running) {
      if (running.status().waits_for.empty()) return;
      waited = true;
      if (!since) since = loop.clock().steady();
      if (loop.clock().steady() - *since < std::chrono::seconds(30)) return;
      crawl.disk.files.set_free_space(10'000'000);
    };
    EXPECT_TRUE(crawl.live({})) << crawl.end().text;
    EXPECT_TRUE(waited);
    crawl.verify();
    series.add(crawl);
    ++series.moments;
    if (::testing::Test::HasFailure()) return;
  }
}

// Whatever is tried in the folder of WARC files fails for some time, again and again.
TEST(FailingDisk, AFailingArchiveFolderIsWaitedFor) {
  Series series;
  for (uint64_t seed = first_seed(); seed < first_seed() + campaigns(); ++seed) {
    SCOPED_TRACE("CADDIS_CRASH_SEED=" + std::to_string(seed));
    SimCrawl crawl(seed);
    crawl.faulty = true;
    const uint64_t most = 1 + crawl.disk.random.below(4);
    uint64_t pulses = 0, failures = 0;
    std::optional<SteadyTime> since;
    crawl.on_pulse = [&](aio::SimLoop& loop, Operator& running) {
      if (!crawl.disk.broken_folder.empty()) {
        if (!since && !running.status().waits_for.empty()) since = loop.clock().steady();
        if (!since || loop.clock().steady() - *since < std::chrono::seconds(20)) return;
        crawl.disk.broken_folder.clear();
      } else if (failures < most && ++pulses % 12 == seed % 12) {
        crawl.disk.broken_folder = "/archive/";
        since.reset();
        ++failures;
      }
    };
    bool ended = false;
    for (int lives = 0; !ended && lives < 10; ++lives) {
      ended = crawl.live({});
      crawl.disk.broken_folder.clear();
    }
    ASSERT_TRUE(ended) << crawl.end().text;
    crawl.verify();
    series.add(crawl);
    series.moments += failures;
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace caddis::testing
