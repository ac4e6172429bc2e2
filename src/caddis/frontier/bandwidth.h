// Bytes a second from all hosts, held on average: a visit that begins pays for what the last ones brought on average,
// and the difference when it ends. Without the first payment all that is due would begin at once, and nothing for many
// seconds after. Not thread-safe; pure.
#pragma once

#include <algorithm>
#include <cstdint>

#include "caddis/base/clock.h"
#include "caddis/frontier/delays.h"

namespace caddis::frontier {

// Limits are bytes a second, 0: no limit; they may change from call to call.
class Bandwidth {
 public:
  // The time at which what has been begun is paid for, and the next visit may begin.
  SteadyTime free_at() const { return free_; }
  bool holds_back(SteadyTime now) const { return free_ > now; }

  // The limit is gone: nothing is owed any more.
  void reset() { free_ = {}; }

  // A visit begins; returns what it has paid for, in bytes.
  uint64_t begin(SteadyTime now, int64_t limit) {
    if (limit == 0) return 0;
    free_ = std::max(free_, now) + time_for(mean_, limit);
    return mean_;
  }

  // A visit that has paid for so much has ended with so many bytes received.
  void end(SteadyTime now, int64_t limit, uint64_t paid, uint64_t bytes) {
    if (limit == 0) return;
    if (bytes >= paid)
      free_ = std::max(free_, now) + time_for(bytes - paid, limit);
    else
      free_ -= time_for(paid - bytes, limit);
    if (paid > 0) mean_ = std::max<uint64_t>(1, (mean_ * 15 + bytes) / 16);
  }

 private:
  SteadyTime free_{};
  uint64_t mean_ = 16 << 10;  // of a response; before any is known, about what a page costs packed
};

}  // namespace caddis::frontier
