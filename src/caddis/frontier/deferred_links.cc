#include "caddis/frontier/deferred_links.h"

#include "caddis/base/hash.h"

namespace caddis::frontier {

uint64_t DeferredLinks::hash(std::string_view host) const { return siphash(host, identity_.key.k0, identity_.key.k1); }

void DeferredLinks::put(const std::string& host, const DeferredChunk& chunk, uint64_t urls) {
  const uint16_t partition = identity_.partition(host);
  cache_.change(family_, deferred_key(partition, host, counters_.totals().next_deferred), write_deferred(chunk), true);
  counters_.add({.queued = urls, .deferred = 1, .next_deferred = 1});
  if (indexed_.insert(hash(host))) index_.insert(partition, host);
}

Result<uint64_t> DeferredLinks::claim(const Host& host, const See& see, store::Cursor* rows) {
  indexed_.erase(hash(host.name));
  if (empty()) return 0;
  const std::string prefix = host_prefix(host);
  std::vector<std::string> claimed;
  const auto take = [&](std::string_view key, std::string_view value) -> Result<bool> {
    TRY(const DeferredChunk chunk, read_deferred(value));
    TRY_VOID(see(chunk));
    claimed.emplace_back(key);
    return true;
  };
  TRY_VOID(cache_.each_from(family_, prefix, prefix, take, rows));
  for (std::string& key : claimed) cache_.change(family_, std::move(key), std::nullopt);
  counters_.transition({.deferred = claimed.size()}, {});
  return claimed.size();
}

Result<void> DeferredLinks::each(const std::string& host, const See& see) const {
  const std::string prefix = host_key(identity_.partition(host), host) + '\0';
  return cache_.each_from(family_, prefix, prefix, [&](std::string_view, std::string_view value) -> Result<bool> {
    TRY(const DeferredChunk chunk, read_deferred(value));
    TRY_VOID(see(chunk));
    return true;
  });
}

}  // namespace caddis::frontier
