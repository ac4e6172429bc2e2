#include "caddis/frontier/host_table.h"

#include <algorithm>

#include "caddis/frontier/rows.h"
#include "caddis/url/domain.h"

namespace caddis::frontier {

Host* HostTable::find(const std::string& name) const {
  const auto found = hosts_.find(name);
  return found == hosts_.end() ? nullptr : found->second.get();
}

Host HostTable::blank(std::string_view name) const {
  Host host;
  host.name = name;
  host.partition = identity_.partition(host.name);
  return host;
}

Result<Host*> HostTable::load(const std::string& name) {
  auto made = std::make_unique<Host>(blank(name));
  TRY(const bool is_known, rows_.read_whole(*made));
  if (!is_known) {
    counters_.add({.hosts = 1});
    TRY_VOID(count_domain(name));
  }
  return hosts_.emplace(name, std::move(made)).first->second.get();
}

// It is asked for before each lease: what its functions refer to stands in one place, so that they allocate nothing.
Result<std::vector<Host*>> HostTable::load_due(WallTime until, size_t most) {
  struct {
    WallTime until;
    size_t most;
    std::vector<Host*> loaded;
  } loading{until, most, {}};
  TRY_VOID(index_.catch_up([this, &loading](const DueEntry& entry, std::string_view key) -> Result<DueIndex::Step> {
    if (!has_room() || loading.loaded.size() >= loading.most) return DueIndex::Step::stop;
    return reload_entry(entry, key, loading.loaded);
  }));
  TRY_VOID(index_.read(until, [this, &loading](const DueEntry& entry, std::string_view key) -> Result<DueIndex::Step> {
    const bool is_resident = find(std::string(entry.host)) != nullptr;
    const bool waits = entry.due > loading.until && !index_.is_beyond_belief(entry.due);
    if (!is_resident && (waits || !has_room() || loading.loaded.size() >= loading.most)) return DueIndex::Step::stop;
    return load_entry(entry, key, loading.loaded);
  }));
  return std::move(loading.loaded);
}

Result<DueIndex::Step> HostTable::load_entry(const DueEntry& entry, std::string_view key, std::vector<Host*>& loaded) {
  const std::string name(entry.host);
  if (const Host* const resident = find(name)) {
    // Of links that it got before it was loaded.
    if (resident->residence.indexed != entry.due) index_.erase(key);
    return DueIndex::Step::passed;
  }
  TRY(Host* const host, load(name));
  if (host->residence.indexed != entry.due) {
    index_.erase(*host);
    host->residence.indexed = entry.due;
    rows_.mark_dirty(*host);
  }
  loaded.push_back(host);
  return DueIndex::Step::passed;
}

// An entry that was made before the clock was set back: what the host really has to wait for is bounded in memory.
Result<DueIndex::Step> HostTable::reload_entry(const DueEntry& entry, std::string_view key,
                                               std::vector<Host*>& loaded) {
  const std::string name(entry.host);
  Host* host = find(name);
  const bool is_new = host == nullptr;
  if (is_new) {
    TRY(host, load(name));
  }
  if (host->residence.evicted != 0) return DueIndex::Step::passed;
  index_.erase(key);
  if (host->residence.indexed == entry.due) host->residence.indexed = WallTime{};
  index_.erase(*host);
  if (host->has_work()) index_.ensure(*host);
  rows_.mark_dirty(*host);
  if (is_new) loaded.push_back(host);
  return DueIndex::Step::passed;
}

void HostTable::ensure_indexed(Host& host) {
  if (host.residence.indexed != WallTime{}) return;
  index_.ensure(host);
  rows_.mark_dirty(host);
}

void HostTable::evict(Host& host, WallTime due) {
  if (host.residence.evicted != 0) return;
  index_.erase(host);
  if (host.has_work()) index_.insert(host, due);
  rows_.mark_dirty(host);
  host.residence.evicted = rows_.cache().present_stage();
  evicting_.emplace_back(host.residence.evicted, host.name);
}

bool HostTable::wants_commit() const {
  return (!evicting_.empty() && evicting_.back().first == rows_.cache().present_stage()) || index_.wants_commit();
}

void HostTable::committed(uint64_t stage) {
  for (; !evicting_.empty() && evicting_.front().first <= stage; evicting_.pop_front()) {
    const auto host = hosts_.find(evicting_.front().second);
    if (host != hosts_.end() && host->second->residence.evicted == evicting_.front().first) hosts_.erase(host);
  }
}

void HostTable::each(const std::function<void(Host&)>& see) const {
  for (const auto& [name, host] : hosts_) see(*host);
}

Queue& HostTable::queue_of(Host& host, const std::string& origin) {
  for (const auto& queue : host.queues)
    if (queue->origin == origin) return *queue;
  auto& queue = host.queues.emplace_back(std::make_unique<Queue>());
  queue->origin = origin;
  queue->host = &host;
  counters_.add({.queues = 1});
  return *queue;
}

// A domain alone with its name is none that makes names up: of that no row is written.
Result<void> HostTable::count_domain(std::string_view host) {
  const std::string_view domain = url::registrable_domain(host);
  if (domain.empty() || domain == host) return {};
  TRY(const uint64_t before, hosts_of_domain(host));
  rows_.cache().change(rows_.families().totals, hosts_of_domain_key(domain), write_count(before + 1));
  return {};
}

Result<uint64_t> HostTable::hosts_of_domain(std::string_view host) const {
  const std::string_view domain = url::registrable_domain(host);
  if (domain.empty()) return uint64_t{0};
  TRY(const auto row, rows_.cache().get(rows_.families().totals, hosts_of_domain_key(domain)));
  if (!row) return uint64_t{0};
  return read_count(*row);
}

Result<std::string> HostTable::each_outside(const std::function<void(Host&)>& see, std::string_view from,
                                            size_t most) const {
  const auto rows = rows_.cache().kv().cursor(rows_.families().hosts);
  for (rows->seek(from); rows->valid(); rows->next()) {
    if (most-- == 0) return std::string(rows->key());
    constexpr size_t kPartition = 2;
    Host host = blank(rows->key().substr(std::min(kPartition, rows->key().size())));
    if (find(host.name) != nullptr) continue;
    TRY_VOID(rows_.read_from(rows->value(), host));
    see(host);
  }
  TRY_VOID(rows->status());
  return std::string();
}

Result<std::string> HostTable::indexed_outside(std::vector<std::string>& names, std::string_view from,
                                               size_t most) const {
  return index_.each(from, most, [&](std::string_view host) {
    std::string name(host);
    if (find(name) == nullptr) names.push_back(std::move(name));
  });
}

}  // namespace caddis::frontier
