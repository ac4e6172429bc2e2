// A host and its queues as they stand in memory. Politeness, DNS and failures of names are about a host. It serves one
// visit at a time, unless more are allowed, so a queue's cursor is always exact.
//
// Owned by HostTable, which keeps only hosts resident that have something to do soon. Belongs to the frontier's thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/fetch_status.h"
#include "caddis/frontier/host_overrides.h"
#include "caddis/frontier/host_rules.h"
#include "caddis/frontier/queue.h"

namespace caddis::frontier {

// The addresses of a host, and until when they hold.
struct KnownAddresses {
  std::vector<std::string> list;
  WallTime expire{};
  size_t index = 0;  // moves on after a failed connection; in memory only

  // The address for the next visit; empty if no address is known.
  std::string next() const { return list.empty() ? std::string() : list[index % list.size()]; }
};

// The pauses between the visits of a host, and who is visiting it. Politeness takes and gives places by it; back-offs
// and operators set the times. On disk is `next_allowed` as wall clock time, with the reason.
struct HostPacing {
  SteadyTime next_allowed{};
  SteadyTime asked_until{};    // the server has asked us to wait (Retry-After)
  bool for_bandwidth = false;  // the pause is longer than the delays, since `host-bandwidth` asks for that
  uint32_t visits = 0;         // that run
  bool is_elsewhere = false;   // another crawl has it, as far as is known (host_claims.h)
  bool exclusive = false;      // one of them is for DNS or robots.txt: it is the only one
  uint32_t batch = 0;          // visits since the last pause
  Duration owed{};             // pauses that the batch has put off
  bool owed_for_bandwidth = false;
  Duration last_fetch{};
  SteadyTime promised_until{};  // until then its next turn is that of a fetch without a lease (fetch_permits.h)
  bool was_promised = false;    // so was its last turn: the next one is that of its queues
  WaitList waiting;             // queues that are due while the host is busy

  void wait_at_least(SteadyTime until) {
    if (until <= next_allowed) return;
    next_allowed = until;
    for_bandwidth = false;
  }
  // Whether it was longer.
  bool shorten_to(SteadyTime until) {
    if (next_allowed <= until) return false;
    next_allowed = until;
    for_bandwidth = false;
    return true;
  }
};

// How a host stands with the memory: what HostTable, DueIndex and HostRows note of it.
struct Residence {
  WallTime indexed{};    // its entry in the due index, on disk too; zero if it has none
  uint32_t session = 0;  // what its visits have cost since it was loaded
  bool dirty = false;    // its row is to be written
  bool listed = false;   // among those that ran out of work
  uint64_t evicted = 0;  // leaves memory when this stage is committed; 0: stays
};

struct Host {
  std::string name;
  uint16_t partition = 0;
  std::vector<std::unique_ptr<Queue>> queues;  // in the order in which they were first heard of

  // On disk.
  KnownAddresses addresses;
  FailureState failures;  // of its name
  HostOverrides overrides;
  uint64_t finished = 0;
  uint64_t referring = 0;  // a bit for each of the domains that link to it, by hash: referring_domains.h
  HostPacing pacing;

  // In memory.
  std::shared_ptr<const HostRules> rules;  // what sheets say; null: the rules of the crawl
  Residence residence;

  // URLs accepted: those visited and those that wait.
  uint64_t accepted() const {
    uint64_t sum = 0;
    for (const auto& queue : queues) sum += queue->queued + queue->finished;
    return sum;
  }
  Usage usage() const {
    Usage sum;
    for (const auto& queue : queues) sum += queue->usage;
    return sum;
  }
  bool has_work() const {
    return std::ranges::any_of(queues, [](const auto& queue) { return queue->has_work(); });
  }
};

inline bool Queue::is_retired() const {
  return !host->overrides.blocked && (retired || host->overrides.retired || over.retires());
}
inline bool Queue::has_work() const { return !is_retired() && (has_chunks() || !retries.waiting.empty()); }
inline bool Queue::is_suspended() const { return !is_retired() && (failures.suspended || host->failures.suspended); }
inline int Queue::abandoned() const {
  if (host->overrides.blocked) return status::kBlockedByUser;
  if (over.quota != Quota::none && over.drops) return status::kBlockedByQuota;
  return host->failures.abandoned != 0 ? host->failures.abandoned : failures.abandoned;
}

}  // namespace caddis::frontier
