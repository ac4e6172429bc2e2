// What an operator changes: orders for a host, URLs that are not to be visited, hosts that are to try again now.

#include <algorithm>
#include <set>

#include "caddis/frontier/chunk.h"
#include "caddis/frontier/frontier.h"
#include "caddis/frontier/walk.h"

namespace caddis::frontier {

Result<Orders> Frontier::orders(const std::string& name) {
  if (const Host* host = store_.find(name)) return host->orders;
  Host outside;
  outside.name = name;
  TRY_VOID(store_.peek(outside));
  return outside.orders;
}

Result<void> Frontier::order(const std::string& name, const Orders& orders) {
  TRY(Host* const found, host_named(name));
  Host& host = *found;
  Totals& totals = store_.totals();
  const uint64_t aside = host.queued_aside();
  totals.queued_retired -= host.queued_retired();
  host.orders = orders;
  totals.queued_retired += host.queued_retired();
  totals.queued_aside += host.queued_aside() - aside;
  // A shorter delay counts from now on, a longer one after the next visit.
  for (const auto& queue : host.queues)
    if (orders.delay)
      host.next_allowed = std::min(host.next_allowed, clock_.steady() + delay_after(*queue, host.last_fetch));
  store_.mark(host);
  if (host.has_work()) store_.index(host);
  plan_all(host);
  rest(host);
  return {};
}

// --- deleting

Result<uint64_t> Frontier::erase_of_line(Queue& queue, QueueLine& line, const WaitingQuery& query) {
  const Visiting* const visiting = visiting_of(queue);
  const bool first_is_out = visiting != nullptr && visiting->kind == LeaseKind::url && visiting->line == line.number;
  uint64_t erased = 0;
  // What is left of each chunk moves up to the numbers that became free.
  uint64_t to = line.head;
  for (uint64_t from = line.head; from < line.tail; ++from) {
    TRY(std::string bytes, store_.chunk(queue, line.number, from));
    TRY(auto items, decode_chunk(bytes));
    const bool is_head = from == line.head;
    const size_t done = is_head ? line.index : 0;
    std::vector<Candidate> left;
    for (size_t i = done; i < items.size(); ++i) {
      const bool is_out = first_is_out && is_head && i == done;
      if (is_out || (query.match && !query.match(items[i])))
        left.push_back(std::move(items[i]));
      else if (!query.match || query.match(items[i]))
        ++erased;
    }
    const bool changed = left.size() != items.size() - done;
    if (is_head && changed) {
      line.index = 0;
      line.loaded.clear();
      line.is_loaded = false;
    }
    if (left.empty()) continue;
    if (changed || to != from)
      store_.replace_chunk(queue, line.number, to, changed ? encode_chunk(left) : std::move(bytes));
    if (is_head && changed) {
      line.loaded.assign(std::make_move_iterator(left.rbegin()), std::make_move_iterator(left.rend()));
      line.is_loaded = true;
    }
    ++to;
  }
  for (uint64_t number = to; number < line.tail; ++number) store_.erase_chunk(queue, line.number, number);
  line.tail = to;
  return erased;
}

Result<uint64_t> Frontier::erase_retries(Queue& queue, const WaitingQuery& query) {
  const std::set<RetryKey> keys = queue.retries;
  uint64_t erased = 0;
  for (const RetryKey& key : keys) {
    TRY(const RetryRow row, store_.retry(queue, key));
    if (query.match && !query.match(row.what)) continue;
    store_.erase_retry(queue, key);
    ++erased;
  }
  return erased;
}

Result<uint64_t> Frontier::erase_of(Host& host, const WaitingQuery& query) {
  uint64_t all = 0;
  for (const auto& queue : host.queues) {
    uint64_t erased = 0;
    for (QueueLine& line : queue->lines) {
      TRY(const uint64_t of_line, erase_of_line(*queue, line, query));
      erased += of_line;
    }
    TRY(const uint64_t retries, erase_retries(*queue, query));
    erased += retries;
    queue->queued -= erased;
    store_.totals().count(*queue, -static_cast<int64_t>(erased));
    all += erased;
    plan(*queue);
  }
  store_.mark(host);
  return all;
}

Result<Erased> Frontier::erase(const WaitingQuery& query) {
  constexpr size_t kMostHosts = 200;
  std::vector<std::string> hosts;
  Erased erased;
  if (!query.host.empty()) {
    TRY(const bool known, store_.knows(query.host));
    if (known) hosts.push_back(query.host);
  }
  Walk part{store_, clock_.wall(), walk_prefix(query.host), nullptr};
  part.see = [&](const WaitingUrl& url) {
    if (query.match && !query.match(url.what)) return true;
    const auto parsed = url::Url::parse(url.origin);
    if (!parsed) return true;
    std::string host(parsed->hostname());
    if (std::ranges::find(hosts, host) != hosts.end()) return true;
    if (hosts.size() >= kMostHosts) return false;
    hosts.push_back(std::move(host));
    return true;
  };
  if (query.host.empty()) {
    TRY(part.place, place_of(query.marker));
    part.rows = query.rows;
    TRY_VOID(walk(part));
  }
  ++store_.totals().edits;
  for (const std::string& name : hosts) {
    const bool was_in = store_.find(name) != nullptr;
    TRY(Host* const host, host_named(name));
    TRY(const uint64_t urls, erase_of(*host, query));
    erased.urls += urls;
    erased.hosts += urls > 0 ? 1 : 0;
    if (!host->has_work()) note_idle(*host);
    if (!was_in && !store_.has_room() && may_leave(*host)) send_out(*host);
  }
  if (part.stopped) erased.marker = marker_of(part.place);
  return erased;
}

// --- trying again

Result<void> Frontier::wake_up(Host& host) {
  const WallTime now = clock_.wall();
  if (host.trouble.failures > 0) host.trouble.retry_at = std::min(host.trouble.retry_at, now);
  for (const auto& queue : host.queues) {
    if (queue->trouble.failures > 0) queue->trouble.retry_at = std::min(queue->trouble.retry_at, now);
    host.next_allowed = std::min(host.next_allowed, clock_.steady() + delay_after(*queue, host.last_fetch));
    const std::set<RetryKey> keys = queue->retries;
    for (const RetryKey& key : keys) {
      if (key.first <= now) continue;
      TRY(const RetryRow row, store_.retry(*queue, key));
      // What is fetched again for its status did not fail: its time is not a back-off.
      if (row.times > 0 && row.attempt == 1) continue;
      store_.erase_retry(*queue, key);
      store_.put_retry(*queue, now, row);
    }
  }
  store_.mark(host);
  plan_all(host);
  return {};
}

Result<uint64_t> Frontier::wake(const std::string& name) {
  if (!name.empty()) {
    TRY(const bool known, store_.knows(name));
    if (!known) return uint64_t{0};
    TRY(Host* const host, host_named(name));
    TRY_VOID(wake_up(*host));
    return uint64_t{host->has_work() ? 1u : 0u};
  }
  constexpr size_t kAtOnce = 1000;
  if (store_.has_room()) {
    TRY(const auto hosts, store_.take_in(kForever, kAtOnce));
    for (Host* host : hosts) come_in(*host);
  }
  std::vector<Host*> hosts;
  store_.each([&](Host& host) {
    if (host.leaving == 0 && host.has_work()) hosts.push_back(&host);
  });
  for (Host* host : hosts) TRY_VOID(wake_up(*host));
  return uint64_t{hosts.size()};
}

}  // namespace caddis::frontier
