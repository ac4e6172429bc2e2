// A lane as another thread sees it: which step of which visit it computes, and whether it still comes back to its loop.
// If nothing is computed, or nobody knows for which visit, there is no step: an innocent URL is not to be blamed.
//
// `enter` and `leave` belong to the lane's thread, the rest to any.
#pragma once

#include <atomic>
#include <cstdint>

#include "caddis/aio/loop.h"

namespace caddis::visit {

class LanePulse {
 public:
  explicit LanePulse(aio::Loop& loop) : loop_(loop) {}

  struct Step {
    uint64_t lease = 0;          // 0: none
    const char* name = nullptr;  // "extract"; of a visit
  };
  // `name` lives for ever.
  void enter(uint64_t lease, const char* name) {
    lease_.store(lease, std::memory_order_relaxed);
    name_.store(name, std::memory_order_relaxed);
  }
  void leave() { enter(0, nullptr); }
  // Leaves the step as soon as the lane comes back to its loop, if it is still of that visit.
  void leave_at_next_turn(uint64_t lease) {
    loop_.post([this, lease] {
      if (lease_.load(std::memory_order_relaxed) == lease) leave();
    });
  }
  // Correct only if the lane has been at the same step for a while.
  Step now() const { return {lease_.load(std::memory_order_relaxed), name_.load(std::memory_order_relaxed)}; }

  // Asks the lane's loop for a sign of life.
  void ask() {
    ++asked_;
    loop_.post([this] { ++answered_; });
  }
  bool has_answered() const { return answered_ == asked_; }

 private:
  aio::Loop& loop_;
  std::atomic<uint64_t> lease_ = 0;
  std::atomic<const char*> name_ = nullptr;
  std::atomic<uint64_t> asked_ = 0, answered_ = 0;
};

}  // namespace caddis::visit
