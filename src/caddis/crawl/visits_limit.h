// How many visits may be in flight: as many as are of use. More of them help as long as hosts are due that wait for
// nothing else, and processor, disk and memory can follow; too many only make each other slow.
//
// Pure: it is told once a second how the crawl is doing.
#pragma once

#include <cstdint>

#include "caddis/base/clock.h"

namespace caddis::crawl {

class VisitsLimit {
 public:
  static constexpr uint64_t kFewest = 32, kFirst = 256, kMost = 20'000;

  // `fixed`: as set by an operator; 0: found by itself.
  explicit VisitsLimit(uint64_t fixed) : fixed_(fixed), now_(fixed != 0 ? fixed : kFirst) {}
  uint64_t now() const { return now_; }

  struct Load {
    bool was_reached = false;  // visits had to wait for the limit since the last call
    double processor = 0;      // share of the processors that the process was running, 0 to 1
    Duration lag{};            // by which the loop was late
    double backlog = 0;        // share of its memory that finished visits take
    double memory = 0;         // share of its memory that the process takes
  };
  void observe(const Load& load) {
    if (fixed_ != 0) return;
    constexpr Duration kLate = std::chrono::milliseconds(500), kPrompt = std::chrono::milliseconds(100);
    if (load.lag > kLate || load.backlog > 0.9 || load.memory > 0.95)
      now_ = now_ * 3 / 4;
    else if (load.was_reached && load.lag < kPrompt && load.backlog < 0.5 && load.memory < 0.8 && load.processor < 0.85)
      now_ += now_ / 4;
    now_ = now_ < kFewest ? kFewest : now_ > kMost ? kMost : now_;
  }

 private:
  uint64_t fixed_;
  uint64_t now_;
};

}  // namespace caddis::crawl
