#include "caddis/crawl/digest_table.h"

#include <algorithm>
#include <utility>

namespace caddis::crawl {
namespace {

constexpr int kShardBits = 8;
constexpr size_t kFirstSlots = 16;

size_t shard_of(uint64_t fingerprint) { return fingerprint >> (64 - kShardBits); }

// Fingerprints are evenly spread: the bits below those of the shard say where the search begins.
size_t slot_of(uint64_t fingerprint, size_t slots) {
  return static_cast<size_t>((static_cast<unsigned __int128>(fingerprint << kShardBits) * slots) >> 64);
}

size_t behind(size_t slot, size_t slots) { return slot + 1 == slots ? 0 : slot + 1; }

}  // namespace

void DigestTable::insert(Shard& shard, DigestPlace place) {
  size_t slot = slot_of(place.fingerprint, shard.slots.size());
  while (shard.slots[slot].place != 0) slot = behind(slot, shard.slots.size());
  shard.slots[slot] = place;
}

void DigestTable::add(DigestPlace place) {
  Shard& shard = shards_[shard_of(place.fingerprint)];
  if (shard.used >= shard.slots.size() / 8 * 7) {
    const auto former = std::exchange(
        shard.slots, std::vector<DigestPlace>(std::max(kFirstSlots, shard.slots.size() + shard.slots.size() / 2)));
    for (const DigestPlace& moved : former)
      if (moved.place != 0) insert(shard, moved);
  }
  insert(shard, place);
  ++shard.used;
  ++size_;
}

void DigestTable::find(uint64_t fingerprint, std::vector<DigestPlace>& places) const {
  const Shard& shard = shards_[shard_of(fingerprint)];
  if (shard.slots.empty()) return;
  const size_t slots = shard.slots.size();
  for (size_t slot = slot_of(fingerprint, slots); shard.slots[slot].place != 0; slot = behind(slot, slots))
    if (shard.slots[slot].fingerprint == fingerprint) places.push_back(shard.slots[slot]);
}

std::vector<DigestPlace> DigestTable::sorted() const {
  std::vector<DigestPlace> all;
  all.reserve(size_);
  for (const Shard& shard : shards_) {
    const auto first = static_cast<std::ptrdiff_t>(all.size());
    for (const DigestPlace& place : shard.slots)
      if (place.place != 0) all.push_back(place);
    std::sort(all.begin() + first, all.end(), [](const DigestPlace& a, const DigestPlace& b) {
      return a.fingerprint != b.fingerprint ? a.fingerprint < b.fingerprint : a.place < b.place;
    });
  }
  return all;
}

}  // namespace caddis::crawl
