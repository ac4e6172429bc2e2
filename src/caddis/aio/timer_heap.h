// The timers of a loop: a binary heap by time, then by a rank the owner chooses. A cancelled timer frees its function
// at once, its place in the heap later.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "caddis/base/clock.h"

namespace caddis::aio {

class TimerHeap {
 public:
  // Timers of one moment fire by rank, then in the order in which they were added.
  uint64_t add(SteadyTime when, uint64_t rank, std::function<void()> work);
  // Without effect where the timer has fired.
  void cancel(uint64_t id);
  // When the next timer is due.
  std::optional<SteadyTime> next();
  // The next timer's function, where it is due at `now`; empty otherwise.
  std::function<void()> take_due(SteadyTime now);
  size_t size() const { return live_; }

 private:
  struct Slot {
    std::function<void()> work;
    uint32_t generation = 0;
  };
  struct Entry {
    SteadyTime when;
    uint64_t rank;
    uint64_t sequence;
    uint32_t slot;
    uint32_t generation;
    bool operator>(const Entry& other) const;
  };
  bool stale(const Entry& entry) const { return slots_[entry.slot].generation != entry.generation; }
  std::function<void()> release(uint32_t slot);
  void pop();
  void drop_stale();

  std::vector<Slot> slots_;
  std::vector<uint32_t> free_;
  std::vector<Entry> heap_;
  uint64_t sequence_ = 0;
  size_t live_ = 0;
};

}  // namespace caddis::aio
