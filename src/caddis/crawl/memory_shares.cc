#include "caddis/crawl/memory_shares.h"

#include <algorithm>

#include "caddis/crawl/digest_table.h"

namespace caddis::crawl {

MemoryShares memory_shares(const config::Settings& settings) {
  // RocksDB's cache and write buffers (store/rocks_kv.h), the program itself, its threads and buffers of connections.
  constexpr uint64_t kFixed = 192'000'000;
  constexpr uint64_t kSeenPercent = 54, kHostsPercent = 14, kFinishedPercent = 10, kDigestsPercent = 4,
                     kCookiesPercent = 2, kVisitsPercent = 16;
  // Parts of the seen-set's share, if they are wanted.
  constexpr uint64_t kWantedPercent = 10;
  const auto all = static_cast<uint64_t>(settings.memory.total);
  const uint64_t rest = all > kFixed ? all - kFixed : 0;
  MemoryShares shares{rest * kSeenPercent / 100, rest * kHostsPercent / 100, rest * kFinishedPercent / 100};
  shares.digests = rest * kDigestsPercent / 100;
  shares.cookies = rest * kCookiesPercent / 100;
  // Records are in spools, too, until they are on disk.
  shares.spools = shares.finished + rest * kVisitsPercent / 100;
  if (settings.frontier.order == frontier::UrlOrder::opic) shares.importance = rest * kWantedPercent / 100;
  if (!settings.frontier.precedences.empty()) shares.precedences = rest * kWantedPercent / 100;
  shares.seen -= shares.importance + shares.precedences;
  if (settings.memory.seen != 0) shares.seen = static_cast<uint64_t>(settings.memory.seen);
  return shares;
}

uint64_t hosts_in_memory(const config::Settings& settings) {
  if (settings.memory.hosts != 0) return static_cast<uint64_t>(settings.memory.hosts);
  constexpr uint64_t kFewest = 1000, kHostBytes = 2000;
  return std::max(kFewest, memory_shares(settings).hosts / kHostBytes);
}

uint64_t digests_in_memory(const config::Settings& settings) {
  // They go into a run all at once, in the batch of one group.
  constexpr uint64_t kFewest = 100'000, kMost = 8'000'000;
  return std::clamp(memory_shares(settings).digests / DigestTable::kMostBytesEach, kFewest, kMost);
}

}  // namespace caddis::crawl
