// The promise of the commit protocol, for whole crawls: whenever the power goes, a crawl that is resumed ends with
// exactly what it would have captured undisturbed, once each; every file valid to its last byte.
//
// CADDIS_CRASH_MOMENTS: how many deaths to try (1,000 by default); CADDIS_CRASH_SEED: where to begin.
#include "faults/campaign.h"

namespace caddis::testing {
namespace {

// One crawl after the other, each with several deaths, until so many have been died.
TEST(PowerCuts, ACrawlEndsAsIfThereHadBeenNone) {
  const uint64_t moments = number_from("CADDIS_CRASH_MOMENTS", 1000);
  uint64_t tails = 0, files = 0;
  Series series;
  for (uint64_t seed = first_seed(); series.moments < moments; ++seed) {
    SCOPED_TRACE("CADDIS_CRASH_SEED=" + std::to_string(seed));
    SimCrawl crawl(seed);
    turn_logs(crawl, seed);
    Random& random = crawl.disk.random;
    const uint64_t deaths = 4 + random.below(12);
    bool ended = false;
    while (!ended && crawl.disk.crashes() < deaths) ended = crawl.live(random_death(random));
    while (!ended && !::testing::Test::HasFailure()) ended = crawl.live({});
    crawl.verify();
    series.moments += crawl.disk.crashes();
    series.add(crawl);
    for (const std::string& notice : crawl.notices) ++(notice.contains("not committed") ? tails : files);
    if (::testing::Test::HasFailure()) return;
  }
  // The deaths were worth dying: some left tails behind, others whole files.
  EXPECT_TRUE(moments < 100 || (tails > 0 && files > 0)) << tails << " tails, " << files << " files";
}

// Changes the last byte of a document that is served as it is.
void change_one(SimSite& site) {
  for (const auto& [url, served] : site.captures()) {
    const bool is_plain = served.starts_with("HTTP/1.1 200") && !served.contains("-Encoding:");
    if (!is_plain || url.ends_with("/robots.txt") || served.ends_with("\r\n\r\n")) continue;
    std::string answer = served;
    answer.back() = answer.back() == '~' ? '-' : '~';
    return site.add(url, std::move(answer));
  }
}

// The first crawl runs undisturbed. In the second one, what has not changed refers to the first, whenever the power goes.
TEST(PowerCuts, ASecondCrawlRefersToTheFirst) {
  const uint64_t moments = number_from("CADDIS_CRASH_MOMENTS", 400);
  Series series;
  for (uint64_t seed = first_seed(); series.moments < moments; ++seed) {
    SCOPED_TRACE("CADDIS_CRASH_SEED=" + std::to_string(seed));
    SimCrawl crawl(seed);
    ASSERT_TRUE(crawl.live({}));
    crawl.begin_again();
    change_one(crawl.site);
    Random& random = crawl.disk.random;
    const uint64_t before = crawl.disk.crashes(), deaths = 4 + random.below(12);
    bool ended = false;
    while (!ended && crawl.disk.crashes() - before < deaths) ended = crawl.live(random_death(random));
    while (!ended && !::testing::Test::HasFailure()) ended = crawl.live({});
    crawl.verify();
    series.moments += crawl.disk.crashes() - before;
    series.add(crawl);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace caddis::testing
