// What a lane is computing, for whoever watches it from another thread: the visit, and the step of it. Where nothing is
// computed, or nobody knows for which visit, there is none: an innocent URL is not to be blamed.
//
// Written by the lane's thread, read by any.
#pragma once

#include <atomic>
#include <cstdint>

namespace caddis::crawl {

class LaneSteps {
 public:
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
  // Leaves what that visit is at, if it is still the one.
  void leave(uint64_t lease) {
    if (lease_.load(std::memory_order_relaxed) == lease) leave();
  }
  // Correct only if the lane has been at the same step for a while.
  Step now() const { return {lease_.load(std::memory_order_relaxed), name_.load(std::memory_order_relaxed)}; }

 private:
  std::atomic<uint64_t> lease_ = 0;
  std::atomic<const char*> name_ = nullptr;
};

}  // namespace caddis::crawl
