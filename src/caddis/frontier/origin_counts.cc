#include "caddis/frontier/origin_counts.h"

#include <algorithm>

#include "caddis/frontier/bytes.h"

namespace caddis::frontier {
namespace {

constexpr std::string_view kPrefix = "origin:";
constexpr uint8_t kVersion = 1;

}  // namespace

void OriginCounts::watch(const std::string& seed) {
  if (counts_.try_emplace(seed).second) changed_.insert(seed);
}

void OriginCounts::forget(const std::string& seed) {
  if (counts_.erase(seed) > 0) changed_.insert(seed);
}

uint64_t OriginCounts::outstanding(std::string_view seed) const {
  const auto found = counts_.find(seed);
  return found == counts_.end() ? 0 : found->second;
}

void OriginCounts::add(std::string_view seed, int64_t urls) {
  const auto found = counts_.find(seed);
  if (found == counts_.end() || urls == 0) return;
  // URLs that were outstanding before it was watched are not counted, and end all the same.
  const uint64_t count = found->second, less = urls < 0 ? static_cast<uint64_t>(-urls) : 0;
  found->second = urls < 0 ? count - std::min(count, less) : count + static_cast<uint64_t>(urls);
  changed_.insert(found->first);
}

void OriginCounts::stage(store::Batch& batch, store::Family family) {
  for (const std::string& seed : changed_) {
    const std::string key = std::string(kPrefix) + seed;
    const auto found = counts_.find(seed);
    if (found == counts_.end()) {
      batch.erase(family, key);
      continue;
    }
    std::string row(1, static_cast<char>(kVersion));
    put_varint(row, found->second);
    batch.put(family, key, row);
  }
  changed_.clear();
}

Result<void> OriginCounts::load(store::Kv& kv, store::Family family) {
  const auto rows = kv.cursor(family);
  for (rows->seek(kPrefix); rows->valid() && rows->key().starts_with(kPrefix); rows->next()) {
    Reader in(rows->value());
    const uint8_t version = in.u8();
    const uint64_t count = in.varint();
    if (version != kVersion || !in.ok() || !in.at_end())
      return fail(ErrorCode::corrupt, "the frontier holds a damaged origin row");
    counts_.emplace(rows->key().substr(kPrefix.size()), count);
  }
  return rows->status();
}

}  // namespace caddis::frontier
