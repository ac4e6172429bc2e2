#include "caddis/frontier/residency.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "caddis/base/strings.h"
#include "caddis/frontier/chunk.h"

namespace caddis::frontier {
namespace {

constexpr size_t kAtOnce = 64;

// The address that an IP literal is, or nothing. Hosts come from parsed URLs: brackets mark IPv6, a final digit IPv4.
std::optional<std::string> literal_address(std::string_view host) {
  if (host.size() > 2 && host.front() == '[') return std::string(host.substr(1, host.size() - 2));
  if (!host.empty() && is_digit(host.back()) && host.find_first_not_of("0123456789.") == std::string_view::npos)
    return std::string(host);
  return std::nullopt;
}

}  // namespace

Result<Host*> Residency::resident(const std::string& name) {
  if (Host* host = storage_.table.find(name)) {
    if (HostTable::keep(*host)) scheduler_.replan(*host);
    return host;
  }
  TRY(Host* const host, storage_.table.load(name));
  TRY_VOID(admit(*host));
  if (host->has_work()) storage_.table.ensure_indexed(*host);
  return host;
}

Result<void> Residency::visit(const std::string& name, const std::function<Result<void>(Host&)>& work) {
  const bool was_resident = storage_.table.find(name) != nullptr;
  TRY(Host* const host, resident(name));
  TRY_VOID(work(*host));
  if (!host->has_work()) note_idle(*host);
  if (!was_resident && !storage_.table.has_room() && may_leave(*host)) evict(*host);
  return {};
}

// A host that was loaded just now.
Result<void> Residency::admit(Host& host, store::Cursor* deferred) {
  policies_.rules.renew(host);
  TRY_VOID(claim_deferred(host, deferred));
  policies_.admission.expect_overrides(host.overrides);
  if (host.addresses.list.empty()) {
    if (auto address = literal_address(host.name)) {
      host.addresses.list.push_back(*std::move(address));
      host.addresses.expire = kForever;
    }
  }
  // What seeds and settings allow may have changed since.
  policies_.health.reset_if_connectable(host);
  policies_.politeness.pause_after_restart(host);
  scheduler_.replan(host);
  enforce_quotas(host);
  if (!host.has_work()) note_idle(host);
  return {};
}

Result<void> Residency::claim_deferred(Host& host, store::Cursor* deferred) {
  const auto see = [&](const DeferredChunk& chunk) -> Result<void> {
    TRY(auto urls, decode_chunk(chunk.chunk));
    const uint64_t all = urls.size();
    storage_.counters.transition({.queued = all}, {});  // they were counted when they were deferred
    keep_within_budget(host, urls, false);
    if (urls.empty()) return {};
    Queue& queue = storage_.table.queue_of(host, chunk.origin);
    storage_.contents.append(queue, chunk.priority, urls.size() == all ? std::string(chunk.chunk) : encode_chunk(urls),
                             urls.size());
    return {};
  };
  TRY(const uint64_t claimed, storage_.deferred.claim(host, see, deferred));
  if (claimed > 0) storage_.rows.mark_dirty(host);
  return {};
}

std::vector<bool> Residency::keep_within_budget(Host& host, std::vector<Candidate>& urls, bool is_answered) {
  const std::string seed = urls.front().seed;
  const auto before = static_cast<int64_t>(urls.size());
  auto dropped = policies_.admission.keep_within_budget(host, urls, is_answered);
  storage_.origins.add(seed, static_cast<int64_t>(urls.size()) - before);
  return dropped;
}

Result<void> Residency::load_due() {
  TRY_VOID(policies_.quotas.trouble());
  TRY_VOID(policies_.seed_quotas.trouble());
  if (policies_.quotas.is_reviewing()) TRY_VOID(review_quotas());
  if (storage_.table.has_room()) {
    TRY([[maybe_unused]] const auto hosts, load(policies_.health.has_abandoned_all() ? kForever : clock_.wall()));
  } else if (storage_.table.has_more()) {
    make_room();
  }
  return {};
}

Result<std::vector<Host*>> Residency::load(WallTime until) {
  TRY(auto hosts, storage_.table.load_due(until, kAtOnce));
  // Many come at once: their deferred links are read with one cursor.
  const auto deferred = hosts.empty() || storage_.deferred.empty() ? nullptr : storage_.deferred.cursor();
  for (Host* host : hosts) TRY_VOID(admit(*host, deferred.get()));
  return hosts;
}

// Dead hosts may not hold up the end of a crawl.
Result<void> Residency::probe_suspended() {
  const auto probe = [&](Host& host) {
    if (policies_.health.probe_at_once(host)) scheduler_.replan(host);
  };
  storage_.table.each(probe);
  if (!storage_.table.has_room()) return {};
  TRY(const auto hosts, load(kForever));
  for (Host* host : hosts) probe(*host);
  return {};
}

Result<void> Residency::review_quotas() {
  TRY(const auto names, policies_.quotas.next_to_review());
  for (const std::string& name : names) {
    TRY_VOID(visit(name, [&](Host& host) -> Result<void> {
      enforce_quotas(host);
      return {};
    }));
  }
  policies_.quotas.end_review();
  return {};
}

bool Residency::enforce_quotas(Host& host) {
  if (!policies_.quotas.judge(host)) return false;
  if (host.has_work()) storage_.table.ensure_indexed(host);
  QueueScheduler::dismiss_waiting(host);
  scheduler_.replan(host);
  if (!host.has_work()) note_idle(host);
  return true;
}

void Residency::edited(Host& host) {
  storage_.rows.mark_dirty(host);
  if (host.has_work()) storage_.table.ensure_indexed(host);
  scheduler_.replan(host);
  rotate(host);
}

// --- making room

bool Residency::may_leave(const Host& host) const {
  using State = QueueSchedule::State;
  if (host.pacing.visits > 0 || host.residence.evicted != 0 || !host.pacing.waiting.empty()) return false;
  return std::ranges::all_of(host.queues, [](const auto& queue) {
    const State state = queue->schedule.state;
    return state == State::idle || state == State::waiting || state == State::ready;
  });
}

void Residency::evict(Host& host) {
  const auto due = scheduler_.withdraw(host);
  storage_.table.evict(host, clock_.wall_in(due ? *due - clock_.steady() : Duration(0)));
  scheduler_.pass_on(host);
}

// Others wait outside: hosts without work go, and those that have to wait long.
void Residency::make_room() {
  constexpr Duration kLong = std::chrono::seconds(10);
  size_t evicted = storage_.table.evicting();
  for (; evicted < kAtOnce && !idle_.empty(); idle_.pop_front()) {
    Host* const host = storage_.table.find(idle_.front());
    if (host == nullptr) continue;
    host->residence.listed = false;
    if (host->has_work() || !may_leave(*host)) continue;
    evict(*host);
    ++evicted;
  }
  for (; evicted < kAtOnce; ++evicted) {
    const Queue* const queue = scheduler_.last(kLong);
    if (queue == nullptr || !may_leave(*queue->host)) break;
    evict(*queue->host);
  }
}

void Residency::note_idle(Host& host) {
  if (!std::exchange(host.residence.listed, true)) idle_.push_back(host.name);
}

void Residency::rotate(Host& host) {
  if (!host.has_work()) {
    note_idle(host);
    return;
  }
  const auto budget = static_cast<uint64_t>(policies_.rules.of(host).order.session_budget);
  if (host.residence.session < budget || storage_.table.has_room() || !storage_.table.has_more() || !may_leave(host))
    return;
  evict(host);
}

}  // namespace caddis::frontier
