// How late hosts are visited: from the moment at which politeness and back-offs allow it until there is a visit for it.
// They are kept by the limit of visits in flight, a disk that is behind, or a crawler that is too slow.
//
// Counted in steps of a quarter, from a microsecond to a day; the past fades, so that it tells of the last few
// thousand.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "caddis/base/clock.h"

namespace caddis::frontier {

class Lateness {
 public:
  void add(Duration late) {
    constexpr uint64_t kFull = 1 << 14;
    ++counts_[step_of(late)];
    if (++sum_ < kFull) return;
    sum_ = 0;
    for (uint64_t& count : counts_) sum_ += count /= 2;
  }
  // The lateness that so large a share of the visits does not exceed, at most a quarter too much; 0 without any.
  Duration quantile(double share) const {
    const auto wanted = static_cast<uint64_t>(std::ceil(share * static_cast<double>(sum_)));
    uint64_t seen = 0;
    for (size_t step = 0; step < counts_.size(); ++step) {
      seen += counts_[step];
      if (seen >= wanted && seen > 0) return most_of(step);
    }
    return Duration(0);
  }

 private:
  static constexpr size_t kSteps = 4 * 37;  // four to an octave of microseconds
  static size_t step_of(Duration late) {
    const auto micros = static_cast<uint64_t>(std::max<int64_t>(late.count() / 1000, 0));
    if (micros < 4) return micros;
    const auto octave = static_cast<size_t>(std::bit_width(micros)) - 3;
    return std::min(kSteps - 1, 4 * octave + (micros >> octave));
  }
  static Duration most_of(size_t step) {
    if (step < 4) return std::chrono::microseconds(step);
    const size_t octave = step / 4 - 1;
    return std::chrono::microseconds(((step % 4 + 5) << octave) - 1);
  }

  std::array<uint64_t, kSteps> counts_{};
  uint64_t sum_ = 0;
};

}  // namespace caddis::frontier
