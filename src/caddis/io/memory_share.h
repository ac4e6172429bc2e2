// Memory that many share and that must not grow without bound: who wants a large piece of it takes that first, and does
// without where none is left. Any thread.
#pragma once

#include <atomic>
#include <cstdint>

namespace caddis::io {

class MemoryShare {
 public:
  explicit MemoryShare(int64_t bytes) : left_(bytes) {}
  MemoryShare(const MemoryShare&) = delete;
  MemoryShare& operator=(const MemoryShare&) = delete;

  // False where so much is not left.
  bool take(uint64_t bytes) {
    if (left_.fetch_sub(static_cast<int64_t>(bytes)) >= static_cast<int64_t>(bytes)) return true;
    give_back(bytes);
    return false;
  }
  void give_back(uint64_t bytes) { left_.fetch_add(static_cast<int64_t>(bytes)); }
  int64_t left() const { return left_.load(); }

 private:
  std::atomic<int64_t> left_;
};

}  // namespace caddis::io
