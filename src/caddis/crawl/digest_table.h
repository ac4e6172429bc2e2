// Fingerprints of digests in memory, and where their rows stand: 18 to 27 bytes each. Whoever looks compares the row
// itself; several places may have one fingerprint.
//
// Not thread-safe: its owner guards it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace caddis::crawl {

// Where a row stands: the number of its pack (store_layout.h), from 1, and its first byte in it.
struct DigestPlace {
  uint64_t fingerprint = 0;
  uint64_t place = 0;

  static constexpr int kOffsetBits = 24;
  static constexpr uint64_t of(uint64_t pack, size_t offset) { return pack << kOffsetBits | offset; }
  uint64_t pack() const { return place >> kOffsetBits; }
  size_t offset() const { return place & ((1ULL << kOffsetBits) - 1); }
};

class DigestTable {
 public:
  static constexpr size_t kMostBytesEach = 27;

  void add(DigestPlace place);
  // Appends the places that have it, in no order.
  void find(uint64_t fingerprint, std::vector<DigestPlace>& places) const;
  size_t size() const { return size_; }
  // All of them, by fingerprint and place.
  std::vector<DigestPlace> sorted() const;

 private:
  // Each grows by itself, so that nobody waits for all to be moved at once. A slot without a place is free.
  struct Shard {
    std::vector<DigestPlace> slots;
    size_t used = 0;
  };
  static void insert(Shard& shard, DigestPlace place);

  std::array<Shard, 256> shards_;
  size_t size_ = 0;
};

}  // namespace caddis::crawl
