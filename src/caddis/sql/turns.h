// A lock that those who wait for it get in the order in which they came. A std::mutex goes to whoever is quickest, and that is
// nearly always the one that has just let it go: one that takes it again and again would keep all others out.
//
// Any thread. It is used like a std::mutex.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace caddis::sql {

class Turns {
 public:
  void lock() {
    std::unique_lock lock(guard_);
    const uint64_t mine = next_++;
    changed_.wait(lock, [&] { return mine == now_; });
  }
  void unlock() {
    const std::scoped_lock lock(guard_);
    ++now_;
    changed_.notify_all();
  }
  // How many wait, and have it.
  uint64_t users() const {
    const std::scoped_lock lock(guard_);
    return next_ - now_;
  }

 private:
  mutable std::mutex guard_;  // of what follows
  std::condition_variable changed_;
  uint64_t next_ = 0, now_ = 0;
};

}  // namespace caddis::sql
