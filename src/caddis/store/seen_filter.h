// A blocked Bloom filter over spread fingerprints: says for sure that a value is not in a run. One cache line a
// question; filled in ascending order, it is written from front to back.
//
// At 10 bits a value, one of 100 that are not there passes; at 5 bits, one of 10.
#pragma once

#include <algorithm>
#include <cstdint>

#include "caddis/store/seen_memory.h"

namespace caddis::store {

class SeenFilter {
 public:
  SeenFilter(uint64_t values, double bits_each)
      : blocks_(std::max<uint64_t>(1, static_cast<uint64_t>(static_cast<double>(values) * bits_each / kBlockBits))),
        probes_(std::clamp(static_cast<int>(bits_each * 0.65 + 0.5), 1, 6)),
        words_(blocks_ * kWords) {}

  void add(uint64_t value) {
    uint64_t* const block = words_.data() + block_of(value);
    uint64_t bits = mix(value);
    for (int i = 0; i < probes_; ++i, bits >>= kProbeBits) block[bits >> 6 & (kWords - 1)] |= 1ULL << (bits & 63);
  }
  bool may_contain(uint64_t value) const {
    const uint64_t* const block = words_.data() + block_of(value);
    uint64_t bits = mix(value);
    bool may = true;
    for (int i = 0; i < probes_; ++i, bits >>= kProbeBits) may &= block[bits >> 6 & (kWords - 1)] >> (bits & 63) & 1;
    return may;
  }
  void prefetch(uint64_t value) const { __builtin_prefetch(words_.data() + block_of(value)); }
  uint64_t memory_bytes() const { return words_.bytes(); }

 private:
  static constexpr uint64_t kWords = 8;  // one cache line
  static constexpr double kBlockBits = 512;
  static constexpr int kProbeBits = 9;

  // The upper bits select the block; what tells values of a block apart are the lower ones.
  uint64_t block_of(uint64_t value) const {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(value) * blocks_) >> 64) * kWords;
  }
  static uint64_t mix(uint64_t value) {
    value = (value ^ value >> 29) * 0xbf58476d1ce4e5b9ULL;
    return value ^ value >> 32;
  }

  uint64_t blocks_;
  int probes_;
  ZeroedWords words_;
};

}  // namespace caddis::store
