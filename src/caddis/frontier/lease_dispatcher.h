// From a queue that is due to a lease: who is next, what it needs first (addresses, robots.txt), and its permit.
//
// Belongs to the frontier's thread.
#pragma once

#include <optional>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/frontier/frontier_parts.h"
#include "caddis/frontier/lease.h"
#include "caddis/frontier/queue_contents.h"

namespace caddis::frontier {

class LeaseDispatcher {
 public:
  explicit LeaseDispatcher(FrontierParts& parts) : parts_(parts) {}

  // The next lease that is due, if any.
  Result<std::optional<Lease>> next();
  std::optional<SteadyTime> next_due() const;
  // No URL waits, but in retired queues, and none is being visited.
  bool is_empty() const;

 private:
  LeaseKind wanted(const Queue& queue) const;
  bool only_suspended_wait() const;
  bool waits_for_others(Queue& queue, LeaseKind kind, bool waits_for_seed);
  // The URL at the front of a queue, and what quotas of its seed say of it.
  struct Judged {
    QueueContents::Front front;
    std::string_view over;  // the quota that is used up
    bool waits = false;
  };
  // Empty if there is no such quota, or the URL is given up anyway.
  Result<std::optional<Judged>> judge_by_seed(Queue& queue);
  bool acquire(Queue& queue, LeaseKind kind, bool connects, Permit& permit);
  Result<Lease> lease(Queue& queue, LeaseKind kind, std::optional<Judged> judged, Permit permit);
  void describe_prerequisite(const Queue& queue, Lease& lease) const;

  FrontierParts& parts_;
};

}  // namespace caddis::frontier
