// A lane: one loop (one thread, or the simulated world's only one) on which many visits run as coroutines. It owns its
// network, resolver and HTTP client, so nothing of a visit is shared between threads but what is const.
//
//   Lane lane(0, std::move(parts), context, [&] { loop.post([&] { collect(lane.results().collect()); }); });
//   lane.visit(std::move(leases));
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <unordered_map>
#include <vector>

#include "caddis/aio/nursery.h"
#include "caddis/aio/task.h"
#include "caddis/visit/kept_slots.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/pipelines.h"
#include "caddis/visit/result_box.h"
#include "caddis/visit/running_visit.h"

namespace caddis::visit {

class Visit;

class Lane {
 public:
  using Parts = LaneParts;
  // `has_results` is called on the lane's loop whenever results wait to be collected.
  Lane(unsigned number, LaneParts parts, const VisitContext& context, std::function<void()> has_results);

  // All of these: any thread. Leases are answered by one result each; the lane must not be draining.
  void visit(std::vector<frontier::Lease> leases);
  ResultBox& results() { return results_; }
  // Ends the fetch of an ordinary URL: its visit comes back with the status -7000.
  void end(uint64_t lease);
  // Ends fetches in flight: their visits come back as not tried.
  void abort();
  // Waits until every visit has ended, then calls `drained` on the lane's loop. Once.
  void drain(std::function<void()> drained);
  // Calls `answer` on the lane's loop with the visits that run then.
  void list_visits(std::function<void(std::vector<RunningVisit>)> answer);
  // Bytes of responses so far.
  uint64_t received() const { return tools_.fetchers.received(); }
  LanePulse& pulse() { return tools_.pulse; }
  const Pipelines& pipelines() const { return pipelines_; }

 private:
  void begin_next();
  aio::Task<void> run(frontier::Lease lease);

  LaneTools tools_;
  Pipelines pipelines_;
  ResultBox results_;
  KeptSlots kept_;
  std::deque<frontier::Lease> to_begin_;
  std::unordered_map<uint64_t, Visit*> visits_;  // that run, by lease
  aio::Nursery nursery_, drainers_;
};

}  // namespace caddis::visit
