// The part of the seen-set that is in RAM: a set of 64-bit values, evenly spread and not 0, in 9 to 14 bytes each where
// there are many.
//
// Open addressing in 64 shards, which grow one at a time by a quarter, so that neither time nor memory makes a leap.
// All entries stand in ascending order (a probe ends at the first larger one, also where the table is almost full), so
// that a table is read out sorted.
//
// Not thread-safe; a table that nobody changes may be read by all.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "caddis/store/seen_memory.h"

namespace caddis::store {

class SeenTable {
 public:
  static constexpr int kShardBits = 6;

  // Whether it was not there before.
  bool insert(uint64_t value);
  bool contains(uint64_t value) const;
  void prefetch(uint64_t value) const {
    const Shard& shard = shards_[value >> (64 - kShardBits)];
    __builtin_prefetch(shard.slots.data() + slot_of(value, shard.capacity));
  }
  uint64_t size() const { return size_; }
  uint64_t memory_bytes() const { return memory_bytes_; }

  // Room for `count` in all, to spare growing.
  void reserve(uint64_t count);
  // Meant for at most `count` values: grown as far as they need it in a table that is nine tenths full, it grows no
  // more before it has to.
  void expect_at_most(uint64_t count);

  // Reads on in ascending order; fewer than `out` has room for only at the end.
  struct Position {
    size_t shard = 0;
    uint64_t slot = 0;
  };
  size_t read(Position& position, std::span<uint64_t> out) const;

  // Gives the memory of one more shard back, with what it holds.
  void drop_next_shard();
  bool is_gone() const { return dropped_ == shards_.size(); }
  // Whether the shard of this value is still there.
  bool covers(uint64_t value) const { return value >> (64 - kShardBits) >= dropped_; }

 private:
  struct Shard {
    ZeroedWords slots;      // 0 is empty; always so the last, behind which no probe goes
    uint64_t capacity = 0;  // values have their places in so many; those crowded out at the end stand behind
    uint64_t used = 0;
    uint64_t grow_at = 0;
  };

  // Maps the bits below those of the shard evenly to [0, capacity), in their order.
  static uint64_t slot_of(uint64_t value, uint64_t capacity) {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(value << kShardBits) * capacity) >> 64);
  }
  void grow(Shard& shard);
  void resize(Shard& shard, uint64_t capacity);

  std::array<Shard, 1 << kShardBits> shards_{};
  uint64_t size_ = 0;
  uint64_t memory_bytes_ = 0;
  uint64_t largest_ = ~0ULL;  // capacity of a shard beyond which it grows only when it has to
  size_t dropped_ = 0;
};

}  // namespace caddis::store
