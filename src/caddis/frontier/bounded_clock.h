// Wall and steady time together, with the bound that keeps a wrong wall clock from making anything wait for years.
//
// Belongs to the frontier's thread.
#pragma once

#include <algorithm>

#include "caddis/base/clock.h"

namespace caddis::frontier {

inline constexpr WallTime kForever = WallTime(std::chrono::seconds(253'402'300'799));  // 9999-12-31

class BoundedClock {
 public:
  explicit BoundedClock(const Clock& clock) : clock_(clock), opened_(clock.steady()) {}

  // No setting asks for a longer wait than this.
  void set_longest_wait(Duration longest) { longest_ = longest; }
  Duration longest_wait() const { return longest_; }

  SteadyTime steady() const { return clock_.steady(); }
  WallTime wall() const { return clock_.wall(); }
  // When the frontier was opened.
  SteadyTime opened() const { return opened_; }

  // A wall clock that jumped back may not make anything wait longer than any setting asks for. What lies far beyond
  // that is due: otherwise an evicted host would begin to wait anew whenever it is loaded.
  SteadyTime steady_at(WallTime when) const {
    const Duration wait = when - wall();
    return steady() + (wait > 2 * longest_ ? Duration(0) : std::clamp<Duration>(wait, Duration(0), longest_));
  }
  WallTime wall_in(Duration wait) const { return wall() + std::chrono::duration_cast<std::chrono::microseconds>(wait); }
  // Beyond this no time that was written under a right clock lies.
  WallTime horizon() const { return wall_in(longest_); }

 private:
  const Clock& clock_;
  const SteadyTime opened_;
  Duration longest_ = std::chrono::hours(24);
};

}  // namespace caddis::frontier
