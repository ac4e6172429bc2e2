// The leases that are out: one for each visit that runs, with what it has taken.
//
// Belongs to the frontier's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>

#include "caddis/base/check.h"
#include "caddis/base/clock.h"
#include "caddis/frontier/lease.h"
#include "caddis/frontier/permit.h"
#include "caddis/frontier/queue.h"

namespace caddis::frontier {

// The place of the URL of a visit: first in a priority class of its queue, or in a retry row.
struct UrlPlace {
  std::optional<PriorityClass> priority;  // nothing: a retry
  RetryKey retry = {};
};

struct OpenLease {
  Queue* queue = nullptr;
  LeaseKind kind = LeaseKind::url;
  UrlPlace place = {};
  std::string url = {};
  SteadyTime began{};
  Permit permit = {};
  uint64_t paid = 0;             // of the bandwidth, in bytes
  std::string domain = {};       // of which it may use up a quota
  std::string seed_domain = {};  // the same of the seeds of a domain
  std::string login = {};        // LoginRule::key, if it is a login or of a session
};

class LeaseTable {
 public:
  // Returns its number, which is never used again.
  uint64_t add(OpenLease lease) {
    leases_.emplace(next_, std::move(lease));
    return next_++;
  }
  // Ends a lease that is out; that is checked.
  OpenLease take(uint64_t id) {
    const auto found = leases_.find(id);
    CADDIS_CHECK(found != leases_.end());
    OpenLease lease = std::move(found->second);
    leases_.erase(found);
    return lease;
  }
  size_t size() const { return leases_.size(); }
  // Null if no lease of that number is out.
  const OpenLease* find(uint64_t id) const {
    const auto found = leases_.find(id);
    return found == leases_.end() ? nullptr : &found->second;
  }
  // A lease of the queue; null if none is out.
  const OpenLease* find(const Queue& queue) const {
    if (queue.schedule.visits == 0) return nullptr;
    for (const auto& [id, lease] : leases_)
      if (lease.queue == &queue) return &lease;
    return nullptr;
  }
  // Calls `see` with each and its number.
  template <class See>
  void each(const See& see) const {
    for (const auto& [id, lease] : leases_) see(id, lease);
  }

 private:
  std::unordered_map<uint64_t, OpenLease> leases_;
  uint64_t next_ = 1;
};

}  // namespace caddis::frontier
