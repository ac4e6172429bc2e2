// Hands leases of the frontier to the lanes as soon as they are due and the gate is open, and what comes back to the
// committer.
//
// Belongs to the crawl's loop.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "caddis/aio/loop.h"

namespace caddis::frontier {
struct Lease;
}  // namespace caddis::frontier

namespace caddis::commit {
class Committer;
}  // namespace caddis::commit

namespace caddis::visit {
struct VisitResult;
}  // namespace caddis::visit

namespace caddis::crawl {

class HangWatch;
class LanePool;
class Lifecycle;
class LimitEnforcer;
class LoadGovernor;
class SeenTasks;
class VisitGate;
class VisitLedger;
struct CrawlState;

class Dispatcher {
 public:
  struct Parts {
    aio::Loop& loop;
    CrawlState& state;
    Lifecycle& lifecycle;
    commit::Committer& committer;
    VisitLedger& ledger;
    LanePool& lanes;
    LoadGovernor& load;
    LimitEnforcer& limits;
    SeenTasks& seen_tasks;
    HangWatch& hangs;
    const VisitGate& gate;
  };
  // All of it must outlive the dispatcher.
  explicit Dispatcher(Parts parts) : parts_(parts) {}

  // Begins what may begin now. To be called whenever something has changed that may let a visit begin.
  void dispatch();
  // Takes visits that have ended.
  void take(std::vector<visit::VisitResult> results);
  // No visit begins by itself any more.
  void close();
  uint64_t visits_begun() const { return visits_begun_; }

 private:
  bool begin_next();
  void settle(visit::VisitResult result);
  void arm_timer();

  const Parts parts_;
  std::optional<SteadyTime> timer_at_;
  aio::Loop::TimerId timer_ = 0;
  uint64_t visits_begun_ = 0;
};

}  // namespace caddis::crawl
