// A whole crawl on another frontier, which holds everything in memory: nothing of a crawl knows which one it has.
#include "sim/memory_frontier.h"

#include <gtest/gtest.h>

#include "sim/crawl.h"

namespace caddis::crawl {
namespace {

using testing::SimCrawl;

TEST(MemoryFrontier, RunsAWholeCrawl) {
  for (const uint64_t seed : {1, 2, 3}) {
    SCOPED_TRACE(seed);
    SimCrawl crawl(seed);
    int opened = 0;
    crawl.open_frontier = [&](const frontier::Frontier::Options& options, store::Kv& kv, store::SeenSet& seen,
                              const Clock& clock) -> Result<std::unique_ptr<frontier::CrawlFrontier>> {
      ++opened;
      TRY(auto admin, open_persistent_frontier(options, kv, seen, clock));
      return std::make_unique<sim::MemoryFrontier>(options.identity, seen, clock, std::move(admin));
    };
    EXPECT_TRUE(crawl.live({}));
    EXPECT_EQ(opened, 1);
    crawl.verify();
  }
}

}  // namespace
}  // namespace caddis::crawl
