// The only door to time. Code gets a Clock& and never asks the system, so that tests and the simulated world own time.
//
// Two kinds are kept apart: `WallTime` (UTC, may jump, goes to disk and into records) and `SteadyTime` (never jumps,
// for delays and time-outs, means nothing after the process).
#pragma once

#include <chrono>

namespace caddis {

using Duration = std::chrono::nanoseconds;
using WallTime = std::chrono::sys_time<std::chrono::microseconds>;
struct SteadyTag {};
using SteadyTime = std::chrono::time_point<SteadyTag, Duration>;

// All methods may be called from any thread.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual WallTime wall() const = 0;
  virtual SteadyTime steady() const = 0;
};

// The system's clock.
const Clock& system_clock();

// A clock that moves only when told to; not thread-safe.
class ManualClock : public Clock {
 public:
  explicit ManualClock(WallTime start = WallTime(std::chrono::seconds(1'700'000'000))) : wall_(start) {}
  WallTime wall() const override { return wall_; }
  SteadyTime steady() const override { return steady_; }
  void advance(Duration by) {
    wall_ += std::chrono::duration_cast<std::chrono::microseconds>(by);
    steady_ += by;
  }
  // Makes the wall clock jump, as an administrator or NTP would; the steady clock goes on undisturbed.
  void jump_wall(WallTime to) { wall_ = to; }

 private:
  WallTime wall_;
  SteadyTime steady_{std::chrono::hours(1)};
};

}  // namespace caddis
