// Power cuts against the real key-value store: RocksDB on a disk that forgets what was not synced. Its own writes,
// syncs and renames are among the moments at which the power goes. Its background threads make the runs differ.
//
// CADDIS_ROCKS_MOMENTS: how many deaths to try (12 by default); CADDIS_CRASH_SEED: where to begin.
#include <functional>

#include "faults/campaign.h"
#include "faults/memory_file_system.h"

namespace caddis::testing {
namespace {

// Crawls that die several times each, as `prepare` makes them, until so many deaths have been died.
void die_often(uint64_t moments, const std::function<void(SimCrawl&)>& prepare) {
  // Of the changes to the disk, most are RocksDB's.
  constexpr uint64_t kChanges = 1200;
  Series series;
  for (uint64_t seed = first_seed(); series.moments < moments; ++seed) {
    SCOPED_TRACE("CADDIS_CRASH_SEED=" + std::to_string(seed));
    SimCrawl crawl(seed);
    RocksOnMemory rocks(crawl.disk.files);
    crawl.open_kv = rocks.opener();
    prepare(crawl);
    Random& random = crawl.disk.random;
    const uint64_t deaths = 3 + random.below(6);
    bool ended = false;
    while (!ended && crawl.disk.crashes() < deaths) ended = crawl.live(random_death(random, kChanges));
    while (!ended && !::testing::Test::HasFailure()) ended = crawl.live({});
    crawl.verify();
    series.moments += crawl.disk.crashes();
    series.add(crawl);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(RocksPowerCuts, ACrawlEndsAsIfThereHadBeenNone) {
  die_often(number_from("CADDIS_ROCKS_MOMENTS", 12), [](SimCrawl&) {});
}

// Chunks are written again under their numbers as URLs rise, and move down into numbers that became free.
TEST(RocksPowerCuts, ACrawlByImportanceEndsSo) {
  uint64_t crawls = 0;
  die_often(number_from("CADDIS_ROCKS_MOMENTS", 12), [&](SimCrawl& crawl) {
    crawl.settings.frontier.order = frontier::UrlOrder::opic;
    if (++crawls % 2 == 0) crawl.settings.frontier.queues = frontier::QueueOrderPolicy::highest_url;
    if (crawls % 3 == 0) crawl.settings.politeness.visits_per_host = 3;
  });
}

}  // namespace
}  // namespace caddis::testing
