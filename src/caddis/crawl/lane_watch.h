// The lanes as the crawl sees them: which visits each of them has, and which of them stand still. A lane stands still
// if it does not come back to its loop for a while: what it computes has no end, or a very late one. Nothing that is
// waited for holds a loop up, so this is a fault of Caddis, or of the machine; the crawl goes on with the other lanes.
//
// Belongs to the crawl's loop.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/frontier/lease.h"
#include "caddis/visit/lane.h"

namespace caddis::crawl {

// A lane that stands still.
struct StandingLane {
  size_t lane = 0;
  std::string url;   // of the visit that it is at, as it was leased; empty if that is not known
  std::string step;  // "extract"
  Duration time{};   // for how long it has been asked in vain
};
// "lane 2 has not come back for 12s, at extract of http://a.test/x"
std::string describe(const StandingLane& lane);

class LaneWatch {
 public:
  // A lane stands still if it has not answered at so many looks in a row.
  LaneWatch(const std::vector<std::unique_ptr<visit::Lane>>& lanes, uint64_t patience);

  // The lane for a visit of that partition: its own, or the next that does not stand still. None if all do.
  std::optional<size_t> lane_for(uint16_t partition) const;
  void begin(const frontier::Lease& lease, size_t lane);
  void end(uint64_t lease);
  std::optional<size_t> lane_of(uint64_t lease) const;

  struct Change {
    StandingLane lane;
    bool stands = false;  // false: it has come back
  };
  // To be called once a second. Returns what has changed.
  std::vector<Change> look(SteadyTime now);
  bool stands(size_t lane) const { return watched_[lane].stands; }
  std::vector<StandingLane> standing(SteadyTime now) const;
  // Visits of all lanes, and of those that stand still.
  uint64_t visits() const { return visits_.size(); }
  uint64_t held() const;

 private:
  struct Watched {
    SteadyTime asked{};
    uint64_t looks = 0;  // since it was asked, without an answer
    bool stands = false;
    uint64_t visits = 0;
  };
  struct Visit {
    size_t lane;
    std::string url;
  };
  StandingLane describe_lane(size_t lane, SteadyTime now) const;

  const std::vector<std::unique_ptr<visit::Lane>>& lanes_;
  const uint64_t patience_;
  std::vector<Watched> watched_;  // as `lanes_`
  std::unordered_map<uint64_t, Visit> visits_;
};

}  // namespace caddis::crawl
