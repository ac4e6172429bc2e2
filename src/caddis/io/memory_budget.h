// Bytes of memory that many may take from, and together never have more of than is in it. Whoever gets none does
// without (a Spool goes on in its file), so nobody waits here.
//
//   auto budget = std::make_shared<MemoryBudget>(20'000'000);
//   MemoryGrant mine(budget);
//   if (mine.grow(512 * 1024)) ...   // given back when `mine` ends
//
// MemoryBudget: any thread, without locks; counts only, no other memory is ordered by it. MemoryGrant: its owner's.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace caddis::io {

class MemoryBudget {
 public:
  explicit MemoryBudget(uint64_t most) : most_(most) {}
  // False where that much is not left: nothing is taken then.
  bool take(uint64_t bytes) {
    uint64_t used = used_.load(std::memory_order_relaxed);
    do {
      if (bytes > most_ || used > most_ - bytes) return false;
    } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
    return true;
  }
  void give_back(uint64_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }
  uint64_t used() const { return used_.load(std::memory_order_relaxed); }
  uint64_t most() const { return most_; }

 private:
  const uint64_t most_;
  std::atomic<uint64_t> used_ = 0;
};

// What one holder has of a budget.
class MemoryGrant {
 public:
  explicit MemoryGrant(std::shared_ptr<MemoryBudget> budget) : budget_(std::move(budget)) {}
  MemoryGrant(MemoryGrant&& other) noexcept
      : budget_(std::move(other.budget_)), bytes_(std::exchange(other.bytes_, 0)) {}
  MemoryGrant& operator=(MemoryGrant&& other) noexcept {
    if (this == &other) return *this;
    release();
    budget_ = std::move(other.budget_);
    bytes_ = std::exchange(other.bytes_, 0);
    return *this;
  }
  ~MemoryGrant() { release(); }

  // So many bytes more, or none.
  bool grow(uint64_t bytes) {
    if (!budget_->take(bytes)) return false;
    bytes_ += bytes;
    return true;
  }
  void release() {
    if (bytes_ > 0) budget_->give_back(std::exchange(bytes_, 0));
  }
  uint64_t bytes() const { return bytes_; }

 private:
  std::shared_ptr<MemoryBudget> budget_;
  uint64_t bytes_ = 0;
};

}  // namespace caddis::io
