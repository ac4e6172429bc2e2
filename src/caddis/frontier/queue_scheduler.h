// When each resident queue is due, and which one is next: queues that wait for a time, those that are due by
// precedence, and the calls to queues that wait for a turn at what they share.
//
//   idle       nothing to visit
//   waiting    among the due queues, at a time: politeness, back-off, a retry
//   ready      among those that are due, if precedence of queues counts
//   *_busy     in the wait list of its host, group or address
//   visiting   a lease is out, and no other is allowed
//
// Belongs to the frontier's thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "caddis/base/clock.h"
#include "caddis/frontier/bounded_clock.h"
#include "caddis/frontier/host.h"
#include "caddis/frontier/host_health.h"
#include "caddis/frontier/politeness.h"
#include "caddis/frontier/rules_book.h"

namespace caddis::frontier {

class QueueScheduler {
 public:
  QueueScheduler(const BoundedClock& clock, const RulesBook& rules, const HostHealth& health, Politeness& politeness)
      : clock_(clock), rules_(rules), health_(health), politeness_(politeness) {}

  // Puts a queue where it belongs now; one that waits for a turn, or is being visited, stays.
  void plan(Queue& queue);
  void replan(Host& host);
  void unplan(Queue& queue);
  // Takes all queues of a host out; returns when the first of them was due.
  std::optional<SteadyTime> withdraw(Host& host);
  // `since`: the stamp of when it began to wait, if it did before: among those due at the same time it stays before
  // those that came later.
  void wait_until(Queue& queue, SteadyTime when, std::optional<uint64_t> since = {});
  // The next queue that is due: the first by precedence if that counts, otherwise the one due longest.
  Queue* next();
  // When `next` has one.
  std::optional<SteadyTime> next_due() const;
  // The queue that waits longest, unless that is less than `wait`.
  Queue* last(Duration wait) const;
  // Queues that are due, in turn; null if precedence does not count.
  Queue* rotate_ready();

  // A queue asked for a turn and got none.
  void wait_for(Queue& queue, const PermitAnswer& answer);
  // Calls the queues that wait for what has become free.
  void call(const Politeness::FreeLists& lists);
  // Whoever was called and does not come lets the next go first.
  void pass_on(Host& host) {
    if (!calling_) call(politeness_.free_lists(host));
  }
  // Queues that wait for one of the host that has nothing to visit any more wait for nothing.
  static void dismiss_waiting(Host& host);

  // When the queue is due by itself, whatever it shares; nothing if it has no work.
  std::optional<SteadyTime> due_time(const Queue& queue) const;

 private:
  using Rank = std::pair<uint32_t, DueTime>;
  void call_next(WaitList& list);

  const BoundedClock& clock_;
  const RulesBook& rules_;
  const HostHealth& health_;
  Politeness& politeness_;
  DueQueues due_;
  std::map<Rank, Queue*> ready_;  // of those that are due, by precedence
  uint64_t next_stamp_ = 1;
  bool calling_ = false;  // a queue in a wait list is being called
  Rank rotated_{};        // of `ready_`: the last that `rotate_ready` returned
};

}  // namespace caddis::frontier
