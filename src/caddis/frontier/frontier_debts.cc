// What hosts owe to `host-bandwidth`, where that changes: it takes less time under a higher limit, and none without
// one, also for hosts that are out of memory. What they wait for besides stays: delays, Retry-After, back-offs.

#include <algorithm>
#include <utility>

#include "caddis/frontier/frontier.h"
#include "caddis/frontier/rows.h"

namespace caddis::frontier {
namespace {

bool is_higher(int64_t limit, int64_t than) { return than > 0 && (limit == 0 || limit > than); }

// Of a host, or of what it shares. Whether it waits less long now.
template <class Paused>
bool relieve_under(int64_t limit, Paused& paused, SteadyTime now) {
  if (!is_higher(limit, paused.for_bandwidth) || paused.next_allowed <= now) return false;
  const double part = limit == 0 ? 0 : static_cast<double>(paused.for_bandwidth) / static_cast<double>(limit);
  const SteadyTime paid =
      now + std::chrono::duration_cast<Duration>(std::chrono::duration<double>(paused.next_allowed - now) * part);
  const SteadyTime until = std::max({now, paid, paused.polite_until});
  paused.for_bandwidth = paid > paused.polite_until ? limit : 0;
  return std::exchange(paused.next_allowed, std::min(until, paused.next_allowed)) > until;
}

}  // namespace

// Where other limits hold than when the hosts out of memory were looked at last, they are again.
Result<void> Frontier::open_debts() {
  TRY(const auto before, kv_.get(store_.families().totals, kHostBandwidthsKey));
  const std::string limits = host_bandwidths();
  if (before.value_or("") == limits) return {};
  if (before)
    debts_from_ = due_key(clock_.wall(), 0, "");
  else
    limits_to_write_ = limits;
  return {};
}

std::string Frontier::host_bandwidths() const {
  const int64_t limit = options_.politeness.host_bandwidth;
  return (limit > 0 ? std::to_string(limit) : std::string()) + options_.sheet_bandwidths;
}

// What its batch has put off, under the crawl's limit of before.
void Frontier::relieve_batch(Host& host, int64_t before) {
  const int64_t limit = rules(host).politeness.host_bandwidth;
  const Duration owed =
      limit == 0 ? Duration(0)
                 : Duration(static_cast<Duration::rep>(static_cast<double>(host.owed.count()) *
                                                       static_cast<double>(before) / static_cast<double>(limit)));
  host.owed = std::clamp(owed, host.owed_politely, std::max(host.owed, host.owed_politely));
}

bool Frontier::relieve(Host& host) {
  if (!relieve_under(rules(host).politeness.host_bandwidth, host, clock_.steady())) return false;
  store_.mark(host);
  return true;
}

// How long it would wait without its debt is not on disk, nor how long its last visit took, nor what a robots.txt that
// has expired asked for: as long as may be.
void Frontier::relieve_read(Host& host) {
  constexpr Duration kLongestFetch = std::chrono::hours(24);
  const PolitenessSettings& politeness = rules(host).politeness;
  for (const auto& queue : host.queues) {
    Duration delay = delay_after(*queue, kLongestFetch);
    if (rules(host).obey_robots && !queue->robots) delay = std::max(delay, politeness.max_crawl_delay);
    host.polite_until = std::max(host.polite_until, clock_.steady() + delay * politeness.batch);
  }
  relieve(host);
}

void Frontier::set_politeness(const PolitenessSettings& settings) {
  const int64_t before = options_.politeness.host_bandwidth, limit = settings.host_bandwidth;
  options_.politeness = settings;
  rules_ = rules_of_crawl(options_);
  if (settings.bandwidth == 0) bandwidth_.forgive();
  if (limit == before) return;
  const bool is_relief = is_higher(limit, before);
  std::vector<Host*> hosts;
  store_.each([&](Host& host) {
    if (options_.rules_of) host.rules = options_.rules_of(host.name);
    if (is_relief && rules(host).politeness.host_bandwidth == limit) relieve_batch(host, before);
    const bool is_relieved = relieve(host);
    // One that was about to leave would take its former debt with it.
    if (is_relieved) store_.keep(host);
    if (host.leaving == 0) hosts.push_back(&host);
  });
  if (!is_relief) {
    if (!debts_from_) limits_to_write_ = host_bandwidths();
    return;
  }
  debts_from_ = due_key(clock_.wall(), 0, "");
  slots_.each([&](Slot& slot) {
    if (slot.of_crawl) relieve_under(limit, slot, clock_.steady());
  });
  // Also those that wait for what they share with others.
  for (Host* const host : hosts) plan_all(*host);
}

// A part of the hosts that wait out of memory.
Result<void> Frontier::review_debts() {
  constexpr size_t kAtOnce = 64;
  std::vector<std::string> names;
  TRY(const std::string next, store_.indexed_outside(names, *debts_from_, kAtOnce));
  for (std::string& name : names) {
    Host outside;
    outside.name = std::move(name);
    TRY(const bool known, store_.peek(outside));
    if (!known || outside.for_bandwidth == 0) continue;
    if (options_.rules_of) outside.rules = options_.rules_of(outside.name);
    if (!is_higher(rules(outside).politeness.host_bandwidth, outside.for_bandwidth)) continue;
    TRY(Host* const host, host_named(outside.name));
    store_.index_anew(*host);
    if (!store_.has_room() && may_leave(*host)) send_out(*host);
  }
  debts_from_ = next;
  if (!next.empty()) return {};
  debts_from_.reset();
  limits_to_write_ = host_bandwidths();
  return {};
}

}  // namespace caddis::frontier
