// The wall clock jumps, by hours or years, forth and back, while a crawl runs and while it does not. Nothing is lost or
// fetched twice, but what is allowed to expire: addresses and robots.txt are asked for again. Where the monotonic clock
// jumps, nothing is noticed at all.
//
// CADDIS_FAULT_CAMPAIGNS: crawls (25 by default); CADDIS_CRASH_SEED: where to begin.
#include <array>

#include "faults/campaign.h"

namespace caddis::testing {
namespace {

using crawl::Operator;

Duration random_jump(Random& random) {
  using namespace std::chrono_literals;
  const Duration most[] = {10s, 1h, 24h, 365 * 24h, 20 * 365 * 24h};
  const Duration size = most[random.below(5)] / 1000 * static_cast<int64_t>(1 + random.below(1000));
  return random.below(2) == 0 ? size : -size;
}

TEST(ClockJumps, LoseNothing) {
  const Leniency prerequisites{.may_repeat = [](std::string_view, std::string_view url) {
    return url.starts_with("dns:") || url.ends_with("/robots.txt") || url.ends_with("/rules.txt");
  }};
  Series series;
  const uint64_t campaigns = number_from("CADDIS_FAULT_CAMPAIGNS", 25);
  for (uint64_t seed = first_seed(); seed < first_seed() + campaigns; ++seed) {
    SCOPED_TRACE("CADDIS_CRASH_SEED=" + std::to_string(seed));
    SimCrawl crawl(seed);
    Random& random = crawl.disk.random;
    uint64_t jumps = 1 + random.below(12);
    crawl.on_pulse = [&](aio::SimLoop& loop, Operator&) {
      if (jumps == 0 || random.below(10) != 0) return;
      --jumps;
      ++series.moments;
      loop.manual_clock().jump_wall(loop.clock().wall() +
                                    std::chrono::duration_cast<std::chrono::microseconds>(random_jump(random)));
    };
    bool ended = false;
    for (int lives = 0; !ended && lives < 4; ++lives) ended = crawl.live(random_death(random));
    if (!ended) ended = crawl.live({});
    ASSERT_TRUE(ended);
    crawl.verify(prerequisites);
    series.add(crawl);
    if (::testing::Test::HasFailure()) return;
  }
}

// Of the monotonic clock, as where a virtual machine is restored: nothing waits longer for it, and nothing is over.
TEST(ClockJumps, OfTheMonotonicClockCountForNothing) {
  using namespace std::chrono_literals;
  Series series;
  const uint64_t campaigns = number_from("CADDIS_FAULT_CAMPAIGNS", 25);
  for (uint64_t seed = first_seed(); seed < first_seed() + campaigns; ++seed) {
    SCOPED_TRACE("CADDIS_CRASH_SEED=" + std::to_string(seed));
    std::array<WallTime, 2> ends;
    for (const bool jumps : {false, true}) {
      SimCrawl crawl(seed);
      crawl.settings.limits.max_time = 30min;
      crawl.settings.limits.max_silence = crawl.settings.limits.max_idle = 10min;
      SeededRandom random(seed);
      crawl.on_pulse = [&](aio::SimLoop& loop, Operator&) {
        if (!jumps || random.below(10) != 0) return;
        ++series.moments;
        loop.manual_clock().jump_steady(random_jump(random));
      };
      crawl.on_end = [&](aio::SimLoop& loop) { ends[jumps] = loop.clock().wall(); };
      ASSERT_TRUE(crawl.live({})) << crawl.end().text;
      crawl.verify();
      series.add(crawl);
      if (::testing::Test::HasFailure()) return;
    }
    // What jumps by less than a minute cannot be told from what passes.
    EXPECT_LT(ends[1] - ends[0], 5min);
    EXPECT_GT(ends[1] - ends[0], -5min);
  }
}

// Hosts that wait for their next try leave memory and come back while they wait: that may not begin anew each time.
TEST(ClockJumps, BackByYearsWhileHostsComeAndGo) {
  SimCrawl crawl(1);
  crawl.settings.memory.hosts = 1;
  crawl.settings.politeness.url_retry_delay = std::chrono::seconds(15);
  crawl.settings.politeness.url_retries = 100;
  crawl.network.reset = 200;
  crawl.network.fault_within = 20'000;
  bool jumped = false;
  crawl.on_pulse = [&](aio::SimLoop& loop, Operator& running) {
    const auto failed = running.frontier().stats();
    if (jumped || failed.queued > 40 || running.status().documents < 30) return;
    jumped = true;
    loop.manual_clock().jump_wall(loop.clock().wall() - std::chrono::hours(24 * 365 * 13));
  };
  ASSERT_TRUE(crawl.live({}));
  EXPECT_TRUE(jumped);
}

}  // namespace
}  // namespace caddis::testing
