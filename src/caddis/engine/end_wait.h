// The time that a crawl which was asked to end has for it. When it is over, its process is to be killed; again after
// the same time if that has not helped.
//
// Not thread-safe.
#pragma once

#include <optional>

#include "caddis/base/clock.h"

namespace caddis::engine {

class EndWait {
 public:
  // Begins at the first call; `longest` zero: it is never over.
  void begin(SteadyTime now, Duration longest) {
    longest_ = longest;
    if (!over_at_ && longest > Duration::zero()) over_at_ = now + longest;
  }
  void clear() { over_at_.reset(); }
  // True once for each time that has passed.
  bool is_over(SteadyTime now) {
    if (!over_at_ || now < *over_at_) return false;
    over_at_ = now + longest_;
    return true;
  }

 private:
  std::optional<SteadyTime> over_at_;
  Duration longest_{};
};

}  // namespace caddis::engine
