// The frontier for whoever settles visits and commits: what came of a lease, what was found, and what goes to the disk.
//
// Belongs to the thread of the crawl's loop, as do all that implement it. Nothing is written but through `stage`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/frontier/lease.h"
#include "caddis/frontier/scheduled_url.h"
#include "caddis/store/kv.h"

namespace caddis::frontier {

// How long visits began behind the moment at which they were allowed.
struct LateVisits {
  Duration median{}, p99{};
};

struct Stats {
  uint64_t queued = 0;    // URLs that wait, those being visited included
  uint64_t held = 0;      // of those that wait, by the frontier of a module
  uint64_t visiting = 0;  // leases out
  uint64_t seen = 0;      // keys ever accepted
  uint64_t queues = 0, hosts = 0, hosts_in_memory = 0, hosts_aside = 0, hosts_given_up = 0;
  uint64_t over_host_budget = 0, over_domain_hosts = 0, over_patterns = 0;  // URLs rejected, by rule
  uint64_t queued_retired = 0;                                              // of those that wait, in retired queues
  uint64_t queued_over = 0;                                                 // of those, since a quota is used up
  LateVisits late;

  // In queues that are retired, but not since a quota is used up.
  uint64_t queued_retired_by_order() const { return queued_retired - std::min(queued_retired, queued_over); }
};

class UrlLedger {
 public:
  virtual ~UrlLedger() = default;

  virtual Outcome finish(const Disposition& disposition) = 0;
  // Accepts candidates whose key is new (or that are forced), and answers each of them.
  virtual Result<ScheduleResult> schedule(std::vector<ScheduledUrl> urls) = 0;
  // Counts these URLs as seen, though nobody visits them; returns those that were new.
  virtual Result<std::vector<uint64_t>> remember(std::span<const uint64_t> fingerprints) = 0;
  // Marks what is no key of a URL in the seen-set, beside the keys; returns those that were new, in their order. They do
  // not count as seen.
  virtual Result<std::vector<uint64_t>> mark(std::span<const uint64_t> marks) {
    (void)marks;
    return std::vector<uint64_t>();
  }
  // From now on URLs that are dropped after they were accepted are kept for whoever takes them.
  virtual void keep_dropped() {}
  virtual std::vector<DroppedUrl> take_dropped() { return {}; }

  // Adds all changes since the last call to `batch`; they are durable once `committed` is called with the number
  // returned.
  virtual uint64_t stage(store::Batch& batch) = 0;
  virtual void committed(uint64_t stage) = 0;
  // Others wait for what only a commit brings, room in memory.
  virtual bool wants_commit() const = 0;

  virtual Stats stats() const = 0;
};

}  // namespace caddis::frontier
