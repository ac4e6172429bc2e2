// Steady time out of the readings of a clock that may jump. A monotonic clock should never do so, and does all the same
// where a virtual machine is restored or moved, and where a container is thawed elsewhere.
//
// Time goes on from the latest reading where the clock has jumped back, and where it has jumped ahead by more than
// `kLongestGap`. The process could not have done anything in that time, so nothing may be late, or over, because of it.
// Who waits for something therefore reads the clock at least once in `kLongestGap` (aio::Loop does).
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <mutex>

#include "caddis/base/clock.h"

namespace caddis {

class EvenTime {
 public:
  static constexpr Duration kLongestGap = std::chrono::minutes(1);

  // `read` gives the clock's reading, a Duration. Any thread.
  template <class Read>
  SteadyTime now(const Read& read) {
    const int64_t shift = shift_.load(std::memory_order_acquire);
    const int64_t before = latest_.load(std::memory_order_acquire);  // first: the reading cannot be older
    const int64_t now = read().count() + shift;
    if (is_jump(before, now)) return after_jump(read);
    advance(before, now);
    return SteadyTime(Duration(now));
  }

 private:
  static constexpr int64_t kNone = std::numeric_limits<int64_t>::min();

  // Back, or too far ahead.
  static bool is_jump(int64_t before, int64_t now) {
    return static_cast<uint64_t>(now) - static_cast<uint64_t>(before) > static_cast<uint64_t>(kLongestGap.count());
  }
  template <class Read>
  SteadyTime after_jump(const Read& read) {
    const std::scoped_lock lock(mutex_);
    const int64_t shift = shift_.load(std::memory_order_acquire);
    const int64_t before = latest_.load(std::memory_order_acquire);
    int64_t now = read().count() + shift;
    // Another thread may have seen to it meanwhile.
    if (before != kNone && is_jump(before, now)) {
      shift_.store(shift + before - now, std::memory_order_release);
      now = before;
    }
    advance(before, now);
    return SteadyTime(Duration(now));
  }
  void advance(int64_t before, int64_t now) {
    while (before < now && !latest_.compare_exchange_weak(before, now, std::memory_order_acq_rel)) {
    }
  }

  std::atomic<int64_t> shift_ = 0;       // to be added to readings
  std::atomic<int64_t> latest_ = kNone;  // that was given
  std::mutex mutex_;                     // of whoever changes the shift
};

}  // namespace caddis
