// Holds one response to a bandwidth: how much to read at once, and when to read again. What is not read stays with the
// kernel, which holds the server back (TCP flow control).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "caddis/base/clock.h"

namespace caddis::http {

class Throttle {
 public:
  // Bytes a second; 0: none.
  explicit Throttle(uint64_t bandwidth) : bandwidth_(bandwidth) {}

  // A quarter of a second's at a time: pauses are as short.
  size_t at_once(size_t most) const {
    return bandwidth_ == 0 ? most : static_cast<size_t>(std::clamp<uint64_t>(bandwidth_ / 4, 1, most));
  }
  void took(size_t bytes, SteadyTime now) {
    if (bandwidth_ == 0) return;
    // Time in which the server itself was slow is not made up for.
    const auto pause = std::chrono::duration<double>(static_cast<double>(bytes) / static_cast<double>(bandwidth_));
    next_ = std::max(next_, now) + std::chrono::duration_cast<Duration>(pause);
  }
  SteadyTime next() const { return next_; }

 private:
  uint64_t bandwidth_;
  SteadyTime next_{};
};

}  // namespace caddis::http
