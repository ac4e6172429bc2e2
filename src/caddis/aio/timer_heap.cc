#include "caddis/aio/timer_heap.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace caddis::aio {

bool TimerHeap::Entry::operator>(const Entry& other) const {
  return std::tie(when, rank, sequence) > std::tie(other.when, other.rank, other.sequence);
}

uint64_t TimerHeap::add(SteadyTime when, uint64_t rank, std::function<void()> work) {
  if (free_.empty()) {
    free_.push_back(static_cast<uint32_t>(slots_.size()));
    slots_.push_back(Slot{nullptr, 1});
  }
  const uint32_t slot = free_.back();
  free_.pop_back();
  slots_[slot].work = std::move(work);
  const uint32_t generation = slots_[slot].generation;
  heap_.push_back(Entry{when, rank, sequence_++, slot, generation});
  std::ranges::push_heap(heap_, std::greater<>());
  ++live_;
  return uint64_t{generation} << 32 | slot;
}

void TimerHeap::cancel(uint64_t id) {
  const auto slot = static_cast<uint32_t>(id);
  if (slot >= slots_.size() || slots_[slot].generation != id >> 32) return;
  release(slot);
  // Deadlines are mostly cancelled long before they are due: without this the heap would hold all of them.
  if (heap_.size() > 64 && heap_.size() > 2 * live_) {
    std::erase_if(heap_, [this](const Entry& entry) { return stale(entry); });
    std::ranges::make_heap(heap_, std::greater<>());
  }
}

std::optional<SteadyTime> TimerHeap::next() {
  drop_stale();
  if (heap_.empty()) return std::nullopt;
  return heap_.front().when;
}

std::function<void()> TimerHeap::take_due(SteadyTime now) {
  drop_stale();
  if (heap_.empty() || heap_.front().when > now) return nullptr;
  const uint32_t slot = heap_.front().slot;
  pop();
  return release(slot);
}

std::function<void()> TimerHeap::release(uint32_t slot) {
  free_.push_back(slot);
  if (++slots_[slot].generation == 0) slots_[slot].generation = 1;  // so that an id is never 0
  --live_;
  return std::exchange(slots_[slot].work, nullptr);
}

void TimerHeap::pop() {
  std::ranges::pop_heap(heap_, std::greater<>());
  heap_.pop_back();
}

void TimerHeap::drop_stale() {
  while (!heap_.empty() && stale(heap_.front())) pop();
}

}  // namespace caddis::aio
