#include "caddis/base/clock.h"

#include "caddis/base/even_time.h"

namespace caddis {
namespace {

class SystemClock : public Clock {
 public:
  WallTime wall() const override {
    return std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
  }
  SteadyTime steady() const override {
    return time_.now([] { return Duration(std::chrono::steady_clock::now().time_since_epoch()); });
  }

 private:
  mutable EvenTime time_;
};

}  // namespace

const Clock& system_clock() {
  static const SystemClock clock;
  return clock;
}

}  // namespace caddis
