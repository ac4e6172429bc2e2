// The seen-set: which crawl keys were ever accepted. Exact over 64-bit fingerprints, in RAM, in 11 to 13 bytes each
// where there are millions.
//
//   const uint64_t f = fingerprint(crawl_key, partition, key);
//   TRY_VOID(seen.insert_batch(fingerprints, is_new));     // one batch a page: the memory accesses overlap
//   append_fingerprint(log_bytes, f);                      // for each new one: into the committed stream "seen"
//
// Open addressing in 256 shards that grow one at a time by a quarter, so that neither time nor memory makes a leap.
// What is in RAM is rebuilt from the fingerprint log (docs/formats/seen.md) at every start.
// Not thread-safe: owned by the committer.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::store {

// Drawn once per crawl and kept in its state: nobody outside can find keys that collide.
struct FingerprintKey {
  uint64_t k0 = 0;
  uint64_t k1 = 0;
};

inline constexpr int kPartitionBits = 10;

// The partition (below 1024) in the upper 10 bits, 54 bits of keyed hash below them. Fixed for ever: it is on disk.
uint64_t fingerprint(std::string_view crawl_key, uint16_t partition, FingerprintKey key);
inline uint16_t partition_of(uint64_t fingerprint) {
  return static_cast<uint16_t>(fingerprint >> (64 - kPartitionBits));
}

// Appends one row of the fingerprint log.
void append_fingerprint(std::string& log, uint64_t fingerprint);

class SeenSet {
 public:
  SeenSet() = default;
  ~SeenSet();
  SeenSet(const SeenSet&) = delete;
  SeenSet& operator=(const SeenSet&) = delete;

  // Adds all, in order; is_new[i] says whether fingerprints[i] was not there before (also not earlier in the batch).
  // `is_new` is as long as `fingerprints`. An error (which this version never gives: all is in RAM) means that nothing
  // was added.
  Result<void> insert_batch(std::span<const uint64_t> fingerprints, std::span<bool> is_new);
  bool contains(uint64_t fingerprint) const;
  uint64_t size() const { return size_; }
  uint64_t memory_bytes() const { return memory_bytes_; }
  // Room for `count` in all, to spare growing.
  void reserve(uint64_t count);
  // Adds the rows of a fingerprint log, of which the first `length` bytes count (default: all); how many rows were
  // read. ErrorCode::corrupt where the length is no multiple of 8.
  Result<uint64_t> load_from(const io::File& log, uint64_t length = ~0ULL);

 private:
  struct Shard {
    uint64_t* slots = nullptr;  // 0 is empty
    uint64_t capacity = 0;
    uint64_t used = 0;
    uint64_t grow_at = 0;
  };
  static constexpr int kShardBits = 8;

  bool insert(uint64_t fingerprint);
  void grow(Shard& shard);
  void resize(Shard& shard, uint64_t capacity);

  std::array<Shard, 1 << kShardBits> shards_{};
  uint64_t size_ = 0;
  uint64_t memory_bytes_ = 0;
  bool has_zero_ = false;  // the one fingerprint that a slot cannot hold
};

}  // namespace caddis::store
