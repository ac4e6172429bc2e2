#include "caddis/store/seen_table.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace caddis::store {

namespace {

constexpr uint64_t kSmallest = 448;  // capacity of a shard's first table: with what stands behind, one page

// Slots behind the last place, for those crowded out: at a load of nine tenths, four on average. Should they not do,
// the table grows.
uint64_t overhang(uint64_t capacity) { return capacity < 8192 ? 64 : 128; }

}  // namespace

bool SeenTable::insert(uint64_t value) {
  Shard& shard = shards_[value >> (64 - kShardBits)];
  if (shard.used >= shard.grow_at) grow(shard);
  for (;;) {
    uint64_t* at = shard.slots.data() + slot_of(value, shard.capacity);
    while (*at - 1 < value - 1) ++at;  // an empty slot counts as the largest of all
    if (*at == value) return false;
    uint64_t* free = at;
    while (*free != 0) ++free;
    if (free + 1 == shard.slots.data() + shard.slots.count()) {
      grow(shard);
      continue;
    }
    std::memmove(at + 1, at, static_cast<size_t>(free - at) * sizeof(uint64_t));
    *at = value;
    ++shard.used;
    ++size_;
    return true;
  }
}

bool SeenTable::contains(uint64_t value) const {
  const Shard& shard = shards_[value >> (64 - kShardBits)];
  if (shard.capacity == 0) return false;
  const uint64_t* at = shard.slots.data() + slot_of(value, shard.capacity);
  while (*at - 1 < value - 1) ++at;
  return *at == value;
}

void SeenTable::grow(Shard& shard) {
  const uint64_t capacity = shard.capacity;
  if (capacity == 0) return resize(shard, std::min(kSmallest, std::max<uint64_t>(largest_, 64)));
  const uint64_t wanted = capacity + capacity / 4;
  resize(shard, capacity < largest_ ? std::min(wanted, largest_) : wanted);
}

// Both tables are walked from front to back: no random access.
void SeenTable::resize(Shard& shard, uint64_t capacity) {
  ZeroedWords slots(capacity + overhang(capacity));
  uint64_t next = 0;
  uint64_t left = shard.used;
  for (const uint64_t* from = shard.slots.data(); left > 0; ++from) {
    if (*from == 0) continue;
    const uint64_t slot = std::max(next, slot_of(*from, capacity));
    if (slot + 1 >= slots.count()) return resize(shard, capacity + capacity / 4);
    slots.data()[slot] = *from;
    next = slot + 1;
    --left;
  }
  memory_bytes_ += slots.bytes() - shard.slots.bytes();
  shard.slots = std::move(slots);
  shard.capacity = capacity;
  shard.grow_at = capacity < largest_ ? capacity - capacity / 4 : capacity - capacity / 16;
}

void SeenTable::reserve(uint64_t count) {
  // What a shard gets of `count` values scatters by a few times the root of its share.
  const double share = static_cast<double>(count) / static_cast<double>(shards_.size());
  const auto capacity = std::min(largest_, static_cast<uint64_t>((share + 4 * std::sqrt(share)) * 4 / 3) + 1);
  for (Shard& shard : shards_) {
    if (capacity > shard.capacity) resize(shard, std::max(capacity, kSmallest));
  }
}

void SeenTable::expect_at_most(uint64_t count) {
  largest_ = count / shards_.size() * 10 / 9 + 1;
  for (Shard& shard : shards_) {
    const bool is_last = shard.capacity >= largest_;
    shard.grow_at = is_last ? shard.capacity - shard.capacity / 16 : shard.capacity - shard.capacity / 4;
  }
}

size_t SeenTable::read(Position& position, std::span<uint64_t> out) const {
  size_t filled = 0;
  for (; position.shard < shards_.size(); ++position.shard, position.slot = 0) {
    const ZeroedWords& slots = shards_[position.shard].slots;
    while (position.slot < slots.count() && filled < out.size()) {
      const uint64_t value = slots.data()[position.slot++];
      out[filled] = value;
      filled += value != 0;
    }
    if (filled == out.size()) break;
  }
  return filled;
}

void SeenTable::drop_next_shard() {
  Shard& shard = shards_[dropped_++];
  memory_bytes_ -= shard.slots.bytes();
  size_ -= shard.used;
  shard = Shard();
}

}  // namespace caddis::store
