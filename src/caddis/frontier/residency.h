// Hosts that become resident and hosts that leave: a host that is loaded gets its rules, its pauses, the links that
// were deferred for it, and its place with the scheduler; one that has had its session, has no work or has to wait long
// makes way if others wait outside.
//
// Belongs to the frontier's thread.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/frontier/policies.h"
#include "caddis/frontier/queue_scheduler.h"
#include "caddis/frontier/storage.h"

namespace caddis::frontier {

class Residency {
 public:
  Residency(const BoundedClock& clock, Storage& storage, Policies& policies, QueueScheduler& scheduler)
      : clock_(clock), storage_(storage), policies_(policies), scheduler_(scheduler) {}

  // The host of that name, read or made if it is not resident; it stays.
  Result<Host*> resident(const std::string& name);
  // The same to work on it: afterwards it leaves again if it was not resident and there is no room.
  Result<void> visit(const std::string& name, const std::function<Result<void>(Host&)>& work);
  // Loads hosts that are due, if there is room, and makes room if there is none. Reviews some whose quotas changed.
  Result<void> load_due();
  // For when all work left is on suspended hosts: those that never answered get their last probe.
  Result<void> probe_suspended();

  // The host is planned anew after an edit, and will not be forgotten.
  void edited(Host& host);
  // Judges its quotas; whether anything changed.
  bool enforce_quotas(Host& host);
  // Drops URLs over the budget of a host that has just been loaded; they have one seed. Returns for each whether it was
  // dropped; nothing if none was.
  std::vector<bool> keep_within_budget(Host& host, std::vector<Candidate>& urls, bool is_answered);
  // A visit of it has ended: it makes way if it has no work, or has had its session and others wait outside.
  void rotate(Host& host);
  // It has no work at present.
  void note_idle(Host& host);

 private:
  Result<void> admit(Host& host, store::Cursor* deferred = nullptr);
  Result<void> claim_deferred(Host& host, store::Cursor* deferred);
  Result<std::vector<Host*>> load(WallTime until);
  Result<void> review_quotas();
  void make_room();
  bool may_leave(const Host& host) const;
  void evict(Host& host);

  const BoundedClock& clock_;
  Storage& storage_;
  Policies& policies_;
  QueueScheduler& scheduler_;
  std::deque<std::string> idle_;  // hosts whose last URL was taken, oldest first; they may have got others
};

}  // namespace caddis::frontier
