#include "caddis/crawl/memory_shares.h"

#include <algorithm>

namespace caddis::crawl {

MemoryShares memory_shares(const CrawlSettings& settings, bool by_importance) {
  // RocksDB's cache and write buffers (store/rocks_kv.h), the program itself, its threads and buffers of connections.
  constexpr uint64_t kFixed = 192'000'000;
  constexpr uint64_t kSeenPercent = 56, kHostsPercent = 14, kFinishedPercent = 10;
  const uint64_t importance_percent = by_importance ? 10 : 0;
  const auto all = static_cast<uint64_t>(settings.memory);
  const uint64_t rest = all > kFixed ? all - kFixed : 0;
  MemoryShares shares{rest * (kSeenPercent - importance_percent) / 100, rest * kHostsPercent / 100,
                      rest * kFinishedPercent / 100, rest * importance_percent / 100};
  if (settings.seen_memory != 0) shares.seen = static_cast<uint64_t>(settings.seen_memory);
  return shares;
}

uint64_t hosts_in_memory(const CrawlSettings& settings) {
  if (settings.hosts_in_memory != 0) return static_cast<uint64_t>(settings.hosts_in_memory);
  constexpr uint64_t kFewest = 1000, kHostBytes = 2000;
  return std::max(kFewest, memory_shares(settings).hosts / kHostBytes);
}

}  // namespace caddis::crawl
