// While one lives, its thread reads of stores (SortedStore) only what is in memory, and so never waits for a disk. What is not in memory
// is as if it were not there, and `has_missed` tells it: who asked has to ask again without this.
#pragma once

#include <utility>

namespace caddis::store {

class MemoryOnly {
 public:
  MemoryOnly() : outer_(std::exchange(current_, this)) {}
  ~MemoryOnly() { current_ = outer_; }
  MemoryOnly(const MemoryOnly&) = delete;
  MemoryOnly& operator=(const MemoryOnly&) = delete;

  bool has_missed() const { return has_missed_; }

  // Both are about this thread.
  static bool is_on() { return current_ != nullptr; }
  static void miss() {
    if (current_ != nullptr) current_->has_missed_ = true;
  }

 private:
  inline static thread_local MemoryOnly* current_ = nullptr;
  MemoryOnly* const outer_;
  bool has_missed_ = false;
};

}  // namespace caddis::store
