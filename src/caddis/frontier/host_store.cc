#include "caddis/frontier/host_store.h"

#include <algorithm>

#include "caddis/base/hash.h"
#include "caddis/frontier/chunk.h"
#include "caddis/frontier/linking.h"
#include "caddis/url/domain.h"

namespace caddis::frontier {

Host* HostStore::find(const std::string& name) {
  const auto found = hosts_.find(name);
  return found == hosts_.end() ? nullptr : found->second.get();
}

Result<Host*> HostStore::fetch(const std::string& name) {
  if (Host* host = find(name)) return host;
  TRY(Host* const host, load(name));
  if (host->has_work()) index(*host);
  return host;
}

Result<Host*> HostStore::load(const std::string& name, store::Cursor* letters) {
  auto made = std::make_unique<Host>();
  Host& host = *made;
  host.name = name;
  host.partition = identity_.partition(name);
  TRY(const auto bytes, kv_.get(families_.hosts, host_key(host.partition, name)));
  if (bytes) {
    TRY(const HostRow row, read_row(host, *bytes));
    TRY_VOID(read_retries(host, row.retries));
    TRY_VOID(read_robots(host));
  } else {
    ++totals_.hosts;
    count_domain(name);
  }
  if (totals_.letters > 0) TRY_VOID(open_letters(host, letters));
  mailed_.erase(siphash(name, identity_.key.k0, identity_.key.k1));
  return hosts_.emplace(name, std::move(made)).first->second.get();
}

Result<bool> HostStore::knows(const std::string& name) {
  if (find(name) != nullptr) return true;
  const uint16_t partition = identity_.partition(name);
  TRY(const auto row, kv_.get(families_.hosts, host_key(partition, name)));
  if (row) return true;
  bool has_letter = false;
  TRY_VOID(each_row(families_.inbox, host_key(partition, name) + '\0',
                    [&](std::string_view, std::string_view) -> Result<void> {
                      has_letter = true;
                      return {};
                    }));
  return has_letter;
}

void HostStore::count_domain(std::string_view host) {
  constexpr size_t kMostDomains = 100'000;
  const std::string_view domain = url::registrable_domain(host);
  // A domain alone with its name is none that makes names up.
  if (domain.empty() || domain == host) return;
  const auto known = domains_.find(std::string(domain));
  if (known != domains_.end())
    ++known->second;
  else if (domains_.size() < kMostDomains)
    domains_.emplace(domain, 1);
}

uint64_t HostStore::hosts_of_domain(std::string_view host) const {
  const auto known = domains_.find(std::string(url::registrable_domain(host)));
  return known == domains_.end() ? 0 : known->second;
}

Result<bool> HostStore::peek(Host& host) {
  host.partition = identity_.partition(host.name);
  TRY(const auto bytes, kv_.get(families_.hosts, host_key(host.partition, host.name)));
  if (bytes) TRY_VOID(read_row(host, *bytes));
  return bytes.has_value();
}

Result<bool> HostStore::look(Host& host) {
  host.partition = identity_.partition(host.name);
  TRY(const auto bytes, kv_.get(families_.hosts, host_key(host.partition, host.name)));
  if (!bytes) return false;
  TRY(const HostRow row, read_row(host, *bytes));
  TRY_VOID(read_retries(host, row.retries));
  TRY_VOID(read_robots(host));
  return true;
}

Result<std::string> HostStore::each_outside(const std::function<void(Host&)>& see, std::string_view from, size_t most) {
  const auto rows = kv_.cursor(families_.hosts);
  for (rows->seek(from); rows->valid(); rows->next()) {
    if (most-- == 0) return std::string(rows->key());
    Host host;
    host.name = rows->key().substr(std::min<size_t>(2, rows->key().size()));
    if (find(host.name) != nullptr) continue;
    host.partition = identity_.partition(host.name);
    TRY(const HostRow row, read_row(host, rows->value()));
    if (std::ranges::any_of(row.retries, [](uint64_t count) { return count > 0; }))
      TRY_VOID(read_retries(host, row.retries));
    see(host);
  }
  TRY_VOID(rows->status());
  return std::string();
}

Result<std::string> HostStore::indexed_outside(std::vector<std::string>& names, std::string_view from, size_t most) {
  const auto entries = kv_.cursor(families_.due);
  for (entries->seek(from); entries->valid(); entries->next()) {
    if (most-- == 0) return std::string(entries->key());
    TRY(const DueEntry entry, read_due_key(entries->key()));
    std::string name(entry.host);
    if (find(name) == nullptr) names.push_back(std::move(name));
  }
  TRY_VOID(entries->status());
  return std::string();
}

Result<void> HostStore::open_letters(Host& host, store::Cursor* letters) {
  std::vector<std::string> opened;
  TRY_VOID(each_row(
      families_.inbox, host_prefix(host),
      [&](std::string_view key, std::string_view value) -> Result<void> {
        TRY(const Letter letter, read_letter(value));
        TRY_VOID(take_letter(host, letter));
        opened.emplace_back(key);
        return {};
      },
      letters));
  for (std::string& key : opened) {
    change(families_.inbox, std::move(key), std::nullopt);
    --totals_.letters;
  }
  if (!opened.empty()) mark(host);
  return {};
}

Result<void> HostStore::take_letter(Host& host, const Letter& letter) {
  TRY(auto items, decode_chunk(letter.chunk));
  const uint64_t all = items.size();
  totals_.queued -= all;  // they were counted when they were written
  note_linking(host, items.front().via);
  leave_out_what_is_over_budget(host, items);
  if (items.empty()) return {};
  Queue& queue = queue_of(host, letter.origin);
  put_chunk(queue, letter.line, items.size() == all ? std::string(letter.chunk) : encode_chunk(items));
  queue.queued += items.size();
  totals_.count(queue, static_cast<int64_t>(items.size()));
  return {};
}

// Nobody knew how many the host had when they were found: they stay seen.
void HostStore::leave_out_what_is_over_budget(const Host& host, std::vector<Candidate>& items) {
  const uint64_t budget = budget_of_ ? budget_of_(host) : kNoBudget;
  if (budget == kNoBudget) return;
  uint64_t taken = host.taken();
  totals_.over_host_budget += std::erase_if(items, [&](const Candidate& item) {
    const bool over = taken >= budget && !item.is_seed && !item.force;
    taken += over ? 0 : 1;
    return over;
  });
}

void HostStore::note_linking(Host& host, std::string_view via) {
  if (counts_linking_) host.linking |= linking_bit(via, host.name);
}

Queue& HostStore::queue_of(Host& host, const std::string& origin) {
  for (const auto& queue : host.queues)
    if (queue->origin == origin) return *queue;
  auto& queue = host.queues.emplace_back(std::make_unique<Queue>());
  queue->origin = origin;
  queue->host = &host;
  ++totals_.queues;
  return *queue;
}

void HostStore::each(const std::function<void(Host&)>& see) const {
  for (const auto& [name, host] : hosts_) see(*host);
}

}  // namespace caddis::frontier
