// What the series of the fault campaign share: how much of each is done (few in ctest, all in `make faults`), and what
// is told of it. Each test is one series; the properties it records are the columns of the report (report.py).
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "sim/crawl.h"

namespace caddis::testing {

inline uint64_t number_from(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// The first seed; each crawl of a series has one of its own.
inline uint64_t first_seed() { return number_from("CADDIS_CRASH_SEED", 1); }

// The sums of one series.
class Series {
 public:
  Series() = default;
  Series(const Series&) = delete;
  Series& operator=(const Series&) = delete;
  ~Series() {
    tell("crawls", crawls_);
    tell("lives", lives_);
    tell("moments", moments);
    tell("lost", damage_.lost);
    tell("twice", damage_.twice);
    tell("invalid", damage_.invalid);
    tell("log", damage_.log);
  }
  void add(const SimCrawl& crawl) {
    ++crawls_;
    lives_ += crawl.lives();
    damage_.lost += crawl.damage.lost;
    damage_.twice += crawl.damage.twice;
    damage_.invalid += crawl.damage.invalid;
    damage_.log += crawl.damage.log;
  }

  uint64_t moments = 0;  // faults that were done to the crawls

 private:
  static void tell(const char* name, uint64_t number) { ::testing::Test::RecordProperty(name, std::to_string(number)); }
  uint64_t crawls_ = 0, lives_ = 0;
  SimCrawl::Damage damage_;
};

// Logs of every other crawl go on in other files, which are packed; lines of some say where captures lie, and which
// links are not queued.
inline void turn_logs(SimCrawl& crawl, uint64_t seed) {
  crawl.settings.logs.roll_size = seed % 2 == 0 ? 0 : 1000 << seed % 5;
  crawl.settings.logs.roll_at_checkpoint = seed % 3 == 0;
  crawl.settings.logs.extra_info = seed % 4 < 2;
  crawl.settings.logs.rejected_links = seed % 3 == 1;
}

// A death at a random moment: between two events of the loop, or at a change of the disk, recovery included.
inline SimCrawl::Death random_death(Random& random, uint64_t changes = SimCrawl::kChanges) {
  SimCrawl::Death death;
  if (random.below(2) == 0)
    death.events = 1 + random.below(1 + random.below(SimCrawl::kEvents));
  else
    death.changes = random.below(1 + random.below(changes));
  return death;
}

}  // namespace caddis::testing
