// The promise of the commit protocol, for whole crawls: whenever the power goes, a crawl that is resumed ends with exactly
// what it would have captured undisturbed, once each; every file valid to its last byte.
//
// CADDIS_CRASH_MOMENTS: how many deaths to try (1,000 by default); CADDIS_CRASH_SEED: where to begin.

#include <gtest/gtest.h>

#include <cstdlib>

#include "sim/crawl.h"

namespace caddis::crawl {
namespace {

using testing::SimCrawl;

uint64_t number_from(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST(SimulatedCrawl, UndisturbedItCapturesAll) {
  SimCrawl crawl(1);
  ASSERT_TRUE(crawl.live({}));
  EXPECT_EQ(crawl.end().reason, EndReason::finished);
  crawl.verify();
  RecordProperty("events", static_cast<int>(crawl.events()));
  RecordProperty("changes", static_cast<int>(crawl.disk.operations()));
}

}  // namespace
}  // namespace caddis::crawl
