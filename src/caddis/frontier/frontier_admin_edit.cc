// An operator's edits. Whoever edits a host loads it, and it is planned anew. Hosts that are about to leave are left
// alone: they are set right when they are loaded again.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "caddis/base/fetch_status.h"
#include "caddis/base/strings.h"
#include "caddis/frontier/frontier_admin.h"
#include "caddis/frontier/frontier_parts.h"
#include "caddis/frontier/queue_contents.h"
#include "caddis/frontier/rows.h"
#include "caddis/frontier/waiting_walk.h"
#include "caddis/url/crawl_schemes.h"
#include "caddis/url/url.h"

namespace caddis::frontier {
namespace {

// The rows of one host of which a sweep is to delete something.
struct SweptHost {
  std::map<std::string, std::set<QueueContents::ChunkPlace>, std::less<>> chunks;  // by origin
  bool retries = false;
  size_t late = 0;  // rows of URLs that came while it was out of memory: they are in its chunks when it is loaded
};

Result<uint64_t> erase_held(FrontierParts& parts, const std::string& host, const WaitingQuery& query) {
  return parts.held.erase(host, [&](const HeldUrl& url) {
    if (query.match && !query.match(url.candidate)) return false;
    parts.storage.origins.add(url.candidate.seed, -1);
    if (query.gone) query.gone(url.candidate, url.host);
    return true;
  });
}

Result<uint64_t> sweep_host(FrontierParts& parts, Host& host, const SweptHost& rows, const WaitingQuery& query,
                            std::string& refilled) {
  const auto gone = [&](const Candidate& candidate, const std::string& name) {
    parts.storage.origins.add(candidate.seed, -1);
    if (query.gone) query.gone(candidate, name);
  };
  uint64_t all = 0;
  for (const auto& queue : host.queues) {
    const auto chunks = rows.chunks.find(queue->origin);
    if (chunks == rows.chunks.end() && !rows.retries) continue;
    static const std::set<QueueContents::ChunkPlace> kNone;
    TRY(const auto erased,
        parts.storage.contents.erase_rows(*queue, chunks == rows.chunks.end() ? kNone : chunks->second, rows.retries,
                                          {query.match, gone}, parts.leases.find(*queue)));
    all += erased.urls;
    parts.scheduler.plan(*queue);
    if (!erased.refilled) continue;
    std::string key = chunk_key(*queue, erased.refilled->priority, erased.refilled->number);
    if (refilled.empty() || key < refilled) refilled = std::move(key);
  }
  return all;
}

}  // namespace

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
    std::string host(url::crawl_host(*parsed));
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
  for (const std::string& name : held) {
    TRY(const uint64_t urls, erase_held(parts_, name, query));
    erased.urls += urls;
  }
  if (walk.has_stopped()) erased.cursor = walk.cursor_after_deletion();
  return erased;
}

Result<Swept> FrontierAdmin::sweep(const WaitingQuery& query, std::function<bool()> is_enough) {
  constexpr uint64_t kEnough = 2000;  // URLs in rows of which something is to be deleted
  std::map<std::string, SweptHost, std::less<>> hosts;
  std::set<std::string> held;
  Swept swept;
  uint64_t in_marked = 0;
  std::string marked;  // the last row of which something is to be deleted
  const WaitingWalk* reading = nullptr;
  const auto see = [&](const WaitingUrl& url) {
    ++swept.asked;
    if (reading->key() != marked) {
      if (query.match && !query.match(url.candidate)) return true;
      const auto origin = url::Url::parse(url.origin);
      if (!origin) return true;
      marked = reading->key();
      const std::string host(url::crawl_host(*origin));
      if (url.where == kWhereHeld)
        held.insert(host);
      else if (url.where == kWhereQueue)
        hosts[host].chunks[url.origin].insert({url.priority, url.chunk});
      else if (url.where == kWhereRetry)
        hosts[host].retries = true;
      else
        ++hosts[host].late;
    }
    ++in_marked;
    return true;
  };
  WaitingWalk walk(parts_.storage, parts_.identity, parts_.clock.wall(), "", see);
  reading = &walk;
  walk.stop_if([&] { return in_marked >= kEnough || is_enough(); });
  bool moved = false;
  TRY_VOID(walk.start_at(query.cursor, &moved));
  TRY_VOID(walk.run(query.rows));
  if (in_marked > 0) parts_.storage.counters.add({.edits = 1});
  std::string refilled;  // the first chunk whose place another one has taken
  // All of a host that has little to do. Of another the chunks at the ends of its classes, where those URLs stand now; if
  // more came meanwhile, they are asked about before their visits.
  const auto erase_late = [&](Host& host, size_t late) -> Result<uint64_t> {
    constexpr uint64_t kLittle = 5000;
    constexpr size_t kSpare = 100;
    WaitingQuery counted = query;
    counted.match = [&](const Candidate& candidate) {
      ++swept.asked;
      return !query.match || query.match(candidate);
    };
    uint64_t queued = 0;
    SweptHost rows;
    for (const auto& queue : host.queues) {
      queued += queue->queued;
      for (const ClassChunks& chunks : queue->classes)
        for (uint64_t i = std::max(chunks.head, chunks.tail - std::min(chunks.tail, late + kSpare)); i < chunks.tail;
             ++i)
          rows.chunks[queue->origin].insert({chunks.priority, i});
    }
    if (queued <= kLittle) return erase_of(host, counted);
    std::string moved;  // chunks at the ends, which were asked about
    return sweep_host(parts_, host, rows, counted, moved);
  };
  for (const auto& [name, rows] : hosts) {
    TRY_VOID(parts_.residency.visit(name, [&](Host& host) -> Result<void> {
      TRY(const uint64_t urls,
          rows.late > 0 ? erase_late(host, rows.late) : sweep_host(parts_, host, rows, query, refilled));
      swept.erased += urls;
      return {};
    }));
  }
  for (const std::string& name : held) {
    TRY(const uint64_t urls, erase_held(parts_, name, query));
    swept.erased += urls;
  }
  if (!refilled.empty()) walk.go_back_to(refilled);
  if (walk.has_stopped()) swept.cursor = walk.cursor_after_deletion();
  return swept;
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
