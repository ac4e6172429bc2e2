// An operator's edits. Whoever edits a host loads it, and it is planned anew. Hosts that are about to leave are left
// alone: they are set right when they are loaded again.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caddis/base/fetch_status.h"
#include "caddis/base/strings.h"
#include "caddis/frontier/frontier_admin.h"
#include "caddis/frontier/frontier_parts.h"
#include "caddis/frontier/waiting_walk.h"
#include "caddis/url/url.h"

namespace caddis::frontier {

Result<void> FrontierAdmin::set_overrides(const std::string& name, const HostOverrides& overrides) {
  TRY(Host* const host, parts_.residency.resident(name));
  parts_.storage.counters.change(*host, [&] { host->overrides = overrides; });
  parts_.policies.admission.expect_overrides(overrides);
  // A shorter delay counts from now on, a longer one after the next visit.
  if (overrides.delay && !host->queues.empty()) {
    HostPacing& pacing = host->pacing;
    const Duration delay = parts_.policies.politeness.shortest_delay(*host, pacing.last_fetch);
    pacing.shorten_to(parts_.clock.steady() + delay);
  }
  parts_.residency.edited(*host);
  return {};
}

void FrontierAdmin::watch_origin(const std::string& seed) { parts_.storage.origins.watch(seed); }

void FrontierAdmin::forget_origin(const std::string& seed) { parts_.storage.origins.forget(seed); }

Result<void> FrontierAdmin::retire_queue(const std::string& name, const std::string& origin, bool retired) {
  TRY(const bool known, parts_.policies.admission.knows(name));
  if (!known) return fail(ErrorCode::not_found, fmt::format("nothing is known of {}", origin));
  TRY(Host* const host, parts_.residency.resident(name));
  return retire(*host, origin, retired);
}

Result<void> FrontierAdmin::retire(Host& host, const std::string& origin, bool retired) {
  const auto queue = std::ranges::find(host.queues, origin, [](const auto& one) { return one->origin; });
  if (queue == host.queues.end()) {
    if (!host.has_work()) parts_.residency.note_idle(host);
    return fail(ErrorCode::not_found, fmt::format("{} has no queue", origin));
  }
  parts_.storage.counters.change(**queue, [&] { (*queue)->retired = retired; });
  parts_.residency.edited(host);
  return {};
}

// --- deleting

Result<uint64_t> FrontierAdmin::erase_of(Host& host, const WaitingQuery& query) {
  uint64_t all = 0;
  const auto gone = [&](const Candidate& candidate, const std::string& name) {
    parts_.storage.origins.add(candidate.seed, -1);
    if (query.gone) query.gone(candidate, name);
  };
  for (const auto& queue : host.queues) {
    const OpenLease* const visiting = parts_.leases.find(*queue);
    TRY(const uint64_t erased, parts_.storage.contents.erase(*queue, {query.match, gone}, visiting));
    all += erased;
    parts_.scheduler.plan(*queue);
  }
  return all;
}

Result<Erased> FrontierAdmin::erase(const WaitingQuery& query) {
  constexpr size_t kMostHosts = 200;
  std::vector<std::string> hosts, held;
  const auto see = [&](const WaitingUrl& url) {
    if (query.match && !query.match(url.candidate)) return true;
    const auto parsed = url::Url::parse(url.origin);
    if (!parsed) return true;
    std::string host(parsed->hostname());
    // Hosts of held URLs need not be loaded.
    std::vector<std::string>& of_its_kind = url.where == kWhereHeld ? held : hosts;
    if (std::ranges::find(of_its_kind, host) != of_its_kind.end()) return true;
    if (of_its_kind.size() >= kMostHosts) return false;
    of_its_kind.push_back(std::move(host));
    return true;
  };
  WaitingWalk walk(parts_.storage, parts_.identity, parts_.clock.wall(), query.host, see);
  if (query.host.empty()) {
    TRY_VOID(walk.start_at(query.cursor));
    TRY_VOID(walk.run(query.rows));
  } else {
    TRY(const bool known, parts_.policies.admission.knows(query.host));
    if (known) hosts.push_back(query.host);
    held.push_back(query.host);
  }
  Erased erased;
  parts_.storage.counters.add({.edits = 1});
  for (const std::string& name : hosts) {
    TRY_VOID(parts_.residency.visit(name, [&](Host& host) -> Result<void> {
      TRY(const uint64_t urls, erase_of(host, query));
      erased.urls += urls;
      erased.hosts += urls > 0 ? 1 : 0;
      return {};
    }));
  }
  const auto is_meant = [&](const HeldUrl& url) {
    if (query.match && !query.match(url.candidate)) return false;
    parts_.storage.origins.add(url.candidate.seed, -1);
    if (query.gone) query.gone(url.candidate, url.host);
    return true;
  };
  for (const std::string& name : held) {
    TRY(const uint64_t urls, parts_.held.erase(name, is_meant));
    erased.urls += urls;
  }
  if (walk.has_stopped()) erased.cursor = walk.cursor_after_deletion();
  return erased;
}

// --- trying again

// Whether anything of it waited that waits no more.
Result<bool> FrontierAdmin::wake_up(Host& host) {
  HostPacing& pacing = host.pacing;
  pacing.asked_until = {};
  bool woken = parts_.policies.health.retry_now(host);
  if (!host.queues.empty()) {
    const Duration delay = parts_.policies.politeness.shortest_delay(host, pacing.last_fetch);
    woken |= pacing.shorten_to(parts_.clock.steady() + delay);
  }
  for (const auto& queue : host.queues) {
    TRY(const bool retries, parts_.storage.contents.retry_now(*queue));
    woken |= retries;
  }
  if (!woken) return false;
  parts_.storage.rows.mark_dirty(host);
  parts_.scheduler.replan(host);
  return true;
}

// Whether a host that is not resident has something to be woken for.
Result<bool> FrontierAdmin::sleeps(const std::string& name) {
  Host host = parts_.storage.table.blank(name);
  TRY(const bool known, parts_.storage.rows.read_whole(host));
  if (!known || !host.has_work()) return false;
  parts_.policies.rules.renew(host);
  const Duration longest = parts_.policies.rules.of(host).politeness.max_delay;
  if (host.failures.failures > 0 || host.pacing.next_allowed > parts_.clock.steady() + longest) return true;
  const WallTime now = parts_.clock.wall();
  return std::ranges::any_of(host.queues, [&](const auto& queue) {
    const auto& retries = queue->retries.waiting;
    return queue->failures.failures > 0 || (!retries.empty() && retries.rbegin()->due > now);
  });
}

std::vector<Host*> FrontierAdmin::staying() const {
  std::vector<Host*> hosts;
  parts_.storage.table.each([&](Host& host) {
    if (host.residence.evicted == 0) hosts.push_back(&host);
  });
  return hosts;
}

Result<Woken> FrontierAdmin::wake_one(const std::string& name) {
  Woken woken;
  TRY(const bool known, parts_.policies.admission.knows(name));
  if (!known) return woken;
  TRY(Host* const host, parts_.residency.resident(name));
  TRY(const bool changed, wake_up(*host));
  woken.hosts = changed && host->has_work() ? 1 : 0;
  return woken;
}

Result<Woken> FrontierAdmin::wake(const std::string& name, const std::string& cursor) {
  if (!name.empty()) return wake_one(name);
  constexpr size_t kAtOnce = 500;  // each of them is read, and written with the next group
  const auto from = from_hex(cursor);
  if (!from) return fail(ErrorCode::parse, fmt::format("'{}' is no marker: give the one of the answer before", cursor));
  Woken woken;
  const auto wake_host = [&](Host& host) -> Result<void> {
    TRY(const bool changed, wake_up(host));
    woken.hosts += changed ? 1 : 0;
    return {};
  };
  if (cursor.empty())
    for (Host* const host : staying())
      if (host->has_work()) TRY_VOID(wake_host(*host));
  std::vector<std::string> outside;
  TRY(const std::string next, parts_.storage.table.indexed_outside(outside, *from, kAtOnce));
  for (const std::string& other : outside) {
    TRY(const bool asleep, sleeps(other));
    if (asleep) TRY_VOID(parts_.residency.visit(other, wake_host));
  }
  woken.cursor = to_hex(next);
  return woken;
}

Result<void> FrontierAdmin::forget(LeaseKind kind, const std::string& name, const std::string& origin) {
  TRY(Host* const host, parts_.residency.resident(name));
  if (kind == LeaseKind::dns) {
    host->addresses.expire = {};
    parts_.policies.health.reset(*host, host->failures);
  } else if (kind == LeaseKind::robots) {
    Queue& queue = parts_.storage.table.queue_of(*host, origin);
    queue.robots.expire = {};
    parts_.policies.health.reset(*host, queue.failures);
  }
  parts_.residency.edited(*host);
  return {};
}

Result<void> FrontierAdmin::look_up_again(const std::string& name) {
  if (!parts_.policies.health.has_abandoned()) return {};
  TRY(Host* const host, parts_.residency.resident(name));
  parts_.policies.health.reset_refused(*host);
  if (host->addresses.expire == kRefused) host->addresses.expire = {};
  parts_.residency.edited(*host);
  return {};
}

void FrontierAdmin::recheck_refused() {
  if (!parts_.policies.health.has_abandoned()) return;
  for (Host* const host : staying())
    if (parts_.policies.health.reset_if_connectable(*host)) parts_.scheduler.replan(*host);
}

// --- settings

void FrontierAdmin::set_rules(HostRules of_crawl, const RulesSummary& of_sheets, std::string quotas) {
  parts_.policies.rules.replace(std::move(of_crawl), of_sheets);
  // Waits that have begun end as they were: none of them is taken for an error of the clock.
  parts_.clock.set_longest_wait(std::max(parts_.clock.longest_wait(), parts_.policies.rules.summary().longest_wait));
  parts_.policies.politeness.update_limits();
  parts_.storage.table.each([&](Host& host) { parts_.policies.rules.renew(host); });
  if (!parts_.policies.quotas.update(std::move(quotas))) return;
  for (Host* const host : staying()) parts_.residency.enforce_quotas(*host);
}

void FrontierAdmin::abandon_all(int status, std::string why) {
  parts_.policies.health.abandon_all(status, std::move(why));
  for (Host* const host : staying()) parts_.scheduler.replan(*host);
}

}  // namespace caddis::frontier
