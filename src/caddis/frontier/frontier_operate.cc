// What an operator changes: orders for a host, URLs that are not to be visited, hosts that are to try again now.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "caddis/base/strings.h"
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
  ordered_budgets_ = ordered_budgets_ || orders.budget.has_value();
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

Result<void> Frontier::retire_queue(const std::string& name, const std::string& origin, bool retired) {
  TRY(const bool known, store_.knows(name));
  if (!known) return fail(ErrorCode::not_found, fmt::format("nothing is known of {}", origin));
  TRY(Host* const found, host_named(name));
  Host& host = *found;
  const auto queue = std::ranges::find(host.queues, origin, [](const auto& one) { return one->origin; });
  if (queue == host.queues.end()) {
    if (!host.has_work()) note_idle(host);
    return fail(ErrorCode::not_found, fmt::format("{} has no queue", origin));
  }
  Totals& totals = store_.totals();
  const uint64_t aside = host.queued_aside();
  totals.queued_retired -= host.queued_retired();
  (*queue)->retired = retired;
  totals.queued_retired += host.queued_retired();
  totals.queued_aside += host.queued_aside() - aside;
  store_.mark(host);
  if (host.has_work()) store_.index(host);
  plan_all(host);
  rest(host);
  return {};
}

Result<std::vector<uint64_t>> Frontier::remember(std::span<const uint64_t> fingerprints) {
  const auto is_new = std::make_unique<bool[]>(fingerprints.size());
  TRY_VOID(seen_.insert_batch(fingerprints, std::span(is_new.get(), fingerprints.size())));
  std::vector<uint64_t> fresh;
  for (size_t i = 0; i < fingerprints.size(); ++i)
    if (is_new[i]) fresh.push_back(fingerprints[i]);
  return fresh;
}

// --- deleting

Result<uint64_t> Frontier::erase_of_line(Queue& queue, QueueLine& line, const WaitingQuery& query) {
  const Visiting* const visiting = visiting_of(queue);
  const bool first_is_out = visiting != nullptr && visiting->kind == LeaseKind::url && visiting->line == line.number;
  uint64_t erased = 0;
  // What is left of each chunk moves up to the numbers that became free.
  uint64_t to = line.head;
  for (uint64_t from = line.head; from < line.tail; ++from) {
    TRY(ChunkBytes bytes, store_.chunk(queue, line, from));
    TRY(auto items, decode_chunk(*bytes));
    const bool is_head = from == line.head;
    const size_t done = is_head ? line.index : 0;
    std::vector<Candidate> left;
    for (size_t i = done; i < items.size(); ++i) {
      const bool is_out = first_is_out && is_head && i == done;
      if (is_out || (query.match && !query.match(items[i]))) {
        left.push_back(std::move(items[i]));
        continue;
      }
      ++erased;
      if (query.gone) query.gone(items[i], queue.host->name);
    }
    const bool changed = left.size() != items.size() - done;
    if (is_head && changed) {
      line.index = 0;
      line.first.reset();
    }
    if (left.empty()) continue;
    if (changed) bytes = std::make_shared<const std::string>(encode_chunk(left));
    if (changed || to != from) line.recent.put(to, bytes);
    if (is_head && changed) {
      TRY(ChunkReader reader, ChunkReader::open(std::move(bytes)));
      line.first = std::make_unique<ChunkReader>(std::move(reader));
    }
    ++to;
  }
  line.tail = to;
  line.recent.keep(line.head, line.tail);
  return erased;
}

Result<uint64_t> Frontier::erase_retries(Queue& queue, const WaitingQuery& query) {
  const std::set<RetryKey> keys = queue.retries;
  uint64_t erased = 0;
  for (const RetryKey& key : keys) {
    TRY(const RetryRow row, store_.retry(queue, key));
    if (query.match && !query.match(row.candidate)) continue;
    store_.erase_retry(queue, key);
    ++erased;
    if (query.gone) query.gone(row.candidate, queue.host->name);
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
    if (query.match && !query.match(url.candidate)) return true;
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
  if (part.stopped) erased.marker = fmt::format("{}-{}", marker_of(part.place), kOfDeletion);
  return erased;
}

// --- trying again

// Whether anything of it waited that waits no more.
Result<bool> Frontier::wake_up(Host& host) {
  const WallTime now = clock_.wall();
  host.asked_until = {};
  bool woken = false;
  const auto try_now = [&](Trouble& trouble) {
    if (trouble.failures == 0 || trouble.retry_at <= now) return;
    trouble.retry_at = now;
    woken = true;
  };
  try_now(host.trouble);
  for (const auto& queue : host.queues) {
    try_now(queue->trouble);
    if (const SteadyTime polite = clock_.steady() + delay_after(*queue, host.last_fetch); polite < host.next_allowed) {
      host.next_allowed = polite;
      woken = true;
    }
    const std::set<RetryKey> keys = queue->retries;
    for (const RetryKey& key : keys) {
      // What is fetched again for its status did not fail: its time is not a back-off.
      if (key.due <= now || key.reason == RetryReason::again) continue;
      TRY(const RetryRow row, store_.retry(*queue, key));
      store_.erase_retry(*queue, key);
      store_.put_retry(*queue, now, row);
      woken = true;
    }
  }
  if (!woken) return false;
  store_.mark(host);
  plan_all(host);
  return true;
}

// Whether a host that is out has something to be woken for.
Result<bool> Frontier::sleeps(const std::string& name) {
  Host host;
  host.name = name;
  TRY(const bool known, store_.look(host));
  if (!known || !host.has_work()) return false;
  if (options_.rules_of) host.rules = options_.rules_of(name);
  if (host.trouble.failures > 0 || host.next_allowed > clock_.steady() + rules(host).politeness.max_delay) return true;
  const WallTime now = clock_.wall();
  return std::ranges::any_of(host.queues, [&](const auto& queue) {
    return queue->trouble.failures > 0 || (!queue->retries.empty() && queue->retries.rbegin()->due > now);
  });
}

Result<Woken> Frontier::wake(const std::string& name, const std::string& marker) {
  Woken woken;
  if (!name.empty()) {
    TRY(const bool known, store_.knows(name));
    if (!known) return woken;
    TRY(Host* const host, host_named(name));
    TRY(const bool changed, wake_up(*host));
    woken.hosts = changed && host->has_work() ? 1 : 0;
    return woken;
  }
  std::vector<Host*> hosts;
  if (marker.empty()) {
    store_.each([&](Host& host) {
      if (host.leaving == 0 && host.has_work()) hosts.push_back(&host);
    });
  }
  for (Host* host : hosts) {
    TRY(const bool changed, wake_up(*host));
    woken.hosts += changed ? 1 : 0;
  }
  constexpr size_t kAtOnce = 500;  // each of them is read, and written with the next group
  const auto from = from_hex(marker);
  if (!from) return fail(ErrorCode::parse, fmt::format("'{}' is no marker: give the one of the answer before", marker));
  std::vector<std::string> outside;
  TRY(const std::string next, store_.indexed_outside(outside, *from, kAtOnce));
  for (const std::string& other : outside) {
    TRY(const bool asleep, sleeps(other));
    if (!asleep) continue;
    TRY(Host* const host, host_named(other));
    TRY(const bool changed, wake_up(*host));
    woken.hosts += changed ? 1 : 0;
    if (!store_.has_room() && may_leave(*host)) send_out(*host);
  }
  woken.marker = to_hex(next);
  return woken;
}

}  // namespace caddis::frontier
