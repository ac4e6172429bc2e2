#include "caddis/store/seen.h"

#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "caddis/base/check.h"
#include "caddis/base/hash.h"

namespace caddis::store {

namespace {

constexpr uint64_t kSmallest = 512;      // slots of a shard's first table: one page
constexpr uint64_t kDoubleBelow = 8192;  // smaller tables double, larger ones grow by a quarter
constexpr uint64_t kHugePage = 2 << 20;
constexpr size_t kPrefetched = 32;  // memory accesses under way at once
constexpr size_t kRowBytes = 8;
constexpr size_t kRowsPerRead = 64 * 1024;

// Any 64-bit value becomes an evenly spread one, and only 0 becomes 0: what spreads is in the low bits of a
// fingerprint, what selects is the high bits here.
uint64_t spread(uint64_t fingerprint) { return fingerprint * 0x9e3779b97f4a7c15ULL; }

// Maps the bits below those of the shard evenly to [0, capacity), in their order.
uint64_t slot_of(uint64_t spread_value, int shard_bits, uint64_t capacity) {
  return static_cast<uint64_t>((static_cast<unsigned __int128>(spread_value << shard_bits) * capacity) >> 64);
}

// Zeroed memory straight from the system, in huge pages where it is large: a random access costs a TLB miss less.
uint64_t* allocate_slots(uint64_t count) {
  const size_t bytes = count * sizeof(uint64_t);
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CADDIS_CHECK(memory != MAP_FAILED);
  if (bytes >= kHugePage) ::madvise(memory, bytes, MADV_HUGEPAGE);
  return static_cast<uint64_t*>(memory);
}

uint64_t little_endian(const char* bytes) {
  uint64_t value = 0;
  for (int i = 7; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

void free_slots(uint64_t* slots, uint64_t count) {
  if (slots) ::munmap(slots, count * sizeof(uint64_t));
}

}  // namespace

uint64_t fingerprint(std::string_view crawl_key, uint16_t partition, FingerprintKey key) {
  CADDIS_DCHECK(partition < 1 << kPartitionBits);
  return uint64_t{partition} << (64 - kPartitionBits) | siphash(crawl_key, key.k0, key.k1) >> kPartitionBits;
}

void append_fingerprint(std::string& log, uint64_t fingerprint) {
  for (int shift = 0; shift < 64; shift += 8) log += static_cast<char>(fingerprint >> shift);
}

SeenSet::~SeenSet() {
  for (Shard& shard : shards_) free_slots(shard.slots, shard.capacity);
}

Result<void> SeenSet::insert_batch(std::span<const uint64_t> fingerprints, std::span<bool> is_new) {
  CADDIS_CHECK(is_new.size() >= fingerprints.size());
  for (size_t from = 0; from < fingerprints.size(); from += kPrefetched) {
    const size_t to = std::min(fingerprints.size(), from + kPrefetched);
    for (size_t i = from; i < to; ++i) {
      const uint64_t value = spread(fingerprints[i]);
      const Shard& shard = shards_[value >> (64 - kShardBits)];
      __builtin_prefetch(shard.slots + slot_of(value, kShardBits, shard.capacity));
    }
    for (size_t i = from; i < to; ++i) is_new[i] = insert(fingerprints[i]);
  }
  return {};
}

bool SeenSet::insert(uint64_t fingerprint) {
  if (fingerprint == 0) {
    const bool is_new = !has_zero_;
    has_zero_ = true;
    size_ += is_new;
    return is_new;
  }
  const uint64_t value = spread(fingerprint);
  Shard& shard = shards_[value >> (64 - kShardBits)];
  if (shard.used >= shard.grow_at) grow(shard);
  uint64_t slot = slot_of(value, kShardBits, shard.capacity);
  while (shard.slots[slot] != 0) {
    if (shard.slots[slot] == fingerprint) return false;
    if (++slot == shard.capacity) slot = 0;
  }
  shard.slots[slot] = fingerprint;
  ++shard.used;
  ++size_;
  return true;
}

bool SeenSet::contains(uint64_t fingerprint) const {
  if (fingerprint == 0) return has_zero_;
  const uint64_t value = spread(fingerprint);
  const Shard& shard = shards_[value >> (64 - kShardBits)];
  if (shard.capacity == 0) return false;
  uint64_t slot = slot_of(value, kShardBits, shard.capacity);
  while (shard.slots[slot] != 0) {
    if (shard.slots[slot] == fingerprint) return true;
    if (++slot == shard.capacity) slot = 0;
  }
  return false;
}

void SeenSet::grow(Shard& shard) {
  const uint64_t capacity = shard.capacity;
  if (capacity == 0)
    resize(shard, kSmallest);
  else
    resize(shard, capacity < kDoubleBelow ? capacity * 2 : capacity + capacity / 4);
}

// Entries lie in the order of their spread values, so both tables are walked from front to back: no random access.
void SeenSet::resize(Shard& shard, uint64_t capacity) {
  uint64_t* slots = allocate_slots(capacity);
  for (uint64_t i = 0; i < shard.capacity; ++i) {
    const uint64_t fingerprint = shard.slots[i];
    if (fingerprint == 0) continue;
    uint64_t slot = slot_of(spread(fingerprint), kShardBits, capacity);
    while (slots[slot] != 0) {
      if (++slot == capacity) slot = 0;
    }
    slots[slot] = fingerprint;
  }
  free_slots(shard.slots, shard.capacity);
  memory_bytes_ += (capacity - shard.capacity) * sizeof(uint64_t);
  shard.slots = slots;
  shard.capacity = capacity;
  shard.grow_at = capacity - capacity / 4;
}

void SeenSet::reserve(uint64_t count) {
  // What a shard gets of `count` values scatters by a few times the root of its share.
  const double share = static_cast<double>(count) / static_cast<double>(shards_.size());
  const auto capacity = static_cast<uint64_t>((share + 4 * std::sqrt(share)) * 4 / 3) + 1;
  for (Shard& shard : shards_) {
    if (capacity > shard.capacity) resize(shard, std::max(capacity, kSmallest));
  }
}

Result<uint64_t> SeenSet::load_from(const io::File& log, uint64_t length) {
  TRY(const uint64_t size, log.size());
  length = std::min(length, size);
  if (length % kRowBytes != 0) {
    return fail(
        ErrorCode::corrupt,
        "the fingerprint log has " + std::to_string(length) +
            " bytes, which is no whole number of rows of 8: it was not written by this crawl, or not recovered; "
            "go back to the last checkpoint");
  }
  reserve(size_ + length / kRowBytes);
  std::string bytes(static_cast<size_t>(std::min<uint64_t>(length, kRowsPerRead * kRowBytes)), '\0');
  std::vector<uint64_t> rows;
  const auto is_new = std::make_unique<bool[]>(kRowsPerRead);
  for (uint64_t at = 0; at < length;) {
    const size_t wanted = static_cast<size_t>(std::min<uint64_t>(bytes.size(), length - at));
    TRY(const size_t got, log.read_at(at, bytes.data(), wanted));
    if (got != wanted) return fail(ErrorCode::corrupt, "the fingerprint log became shorter while it was read");
    rows.clear();
    for (size_t i = 0; i < got; i += kRowBytes) rows.push_back(little_endian(bytes.data() + i));
    TRY_VOID(insert_batch(rows, std::span(is_new.get(), rows.size())));
    at += got;
  }
  return length / kRowBytes;
}

}  // namespace caddis::store
