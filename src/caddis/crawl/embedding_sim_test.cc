// A crawl as a part of a larger process: several of them beside one another, and one over another frontier.

#include <gtest/gtest.h>

#include "sim/crawl.h"

namespace caddis::crawl {
namespace {

using testing::SimCrawl;

// With settings of their own, on one loop: neither knows of the other.
TEST(EmbeddedCrawls, TwoRunInOneProcessAtTheSameTime) {
  SimCrawl one(1), other(2);
  one.settings.crawl.name = "one";
  other.settings.crawl.name = "other";
  other.settings.politeness.delay = std::chrono::milliseconds(400);
  other.settings.crawl.lanes = 2;
  ASSERT_TRUE(SimCrawl::live_together(one, other));
  one.verify();
  other.verify();
  EXPECT_EQ(one.end().text, "finished");
  EXPECT_EQ(other.end().text, "finished");
}

TEST(EmbeddedCrawls, GoesByTheFrontierThatItsWorldMakes) {
  SimCrawl crawl(3);
  unsigned made = 0;
  crawl.open_frontier = [&](const frontier::Frontier::Options& options, store::Kv& kv, store::SeenSet& seen,
                            const Clock& clock) {
    ++made;
    return open_persistent_frontier(options, kv, seen, clock);
  };
  ASSERT_TRUE(crawl.live({}));
  EXPECT_EQ(made, 1u);
  crawl.verify();
}

}  // namespace
}  // namespace caddis::crawl
