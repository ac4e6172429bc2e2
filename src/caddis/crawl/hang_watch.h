// Lanes that stand still are reported, and the URLs at which they do: on record in the state, and given up the second
// time. A crawl of which nothing else is left is ended.
//
// Belongs to the crawl's loop.
#pragma once

#include <cstdint>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/crawl/hung_urls.h"

namespace caddis::frontier {
struct Disposition;
struct Lease;
}  // namespace caddis::frontier
namespace caddis::store {
class Kv;
}  // namespace caddis::store

namespace caddis::crawl {

class LanePool;
class Lifecycle;
class MetaRows;
class EventLog;
struct StandingLane;

class HangWatch {
 public:
  // All of it must outlive the watch.
  HangWatch(LanePool& lanes, Lifecycle& lifecycle, MetaRows& rows, EventLog& log)
      : lanes_(lanes), lifecycle_(lifecycle), rows_(rows), log_(log) {}

  // The URLs that have stopped a lane before.
  Result<void> load(store::Kv& kv);
  // Gives the lease up if its URL has stopped a lane again and again.
  void judge(frontier::Lease& lease) const;
  // The visit has ended: its URL is not on record any more, unless it is tried again.
  void visit_ended(const frontier::Disposition& disposition);

  // Once a second. Returns whether a lane stands still since, or is back. `only_held_left`: nothing is left but visits
  // of lanes that stand still; if that lasts, the crawl is stopped.
  bool look(SteadyTime now, bool only_held_left);

 private:
  void record(const StandingLane& lane);
  void leave_held_visits(bool only_held_left);

  LanePool& lanes_;
  Lifecycle& lifecycle_;
  MetaRows& rows_;
  EventLog& log_;
  HungUrls hung_;
  uint64_t looks_at_held_visits_ = 0;  // in a row, that found nothing else left
};

}  // namespace caddis::crawl
