#include "caddis/crawl/lane_watch.h"

#include <fmt/format.h>

#include "caddis/base/time_format.h"
#include "caddis/url/public_form.h"

namespace caddis::crawl {

std::string describe(const StandingLane& lane) {
  const std::string what = lane.url.empty() ? "at a step that is not known"
                                            : fmt::format("at {} of {}", lane.step, url::public_form(lane.url));
  return fmt::format("lane {} has not come back for {}, {}", lane.lane,
                     format_duration(std::chrono::floor<std::chrono::seconds>(lane.time)), what);
}

LaneWatch::LaneWatch(const std::vector<std::unique_ptr<visit::Lane>>& lanes, uint64_t patience)
    : lanes_(lanes), patience_(patience), watched_(lanes.size()) {}

std::optional<size_t> LaneWatch::lane_for(uint16_t partition) const {
  for (size_t next = 0; next < watched_.size(); ++next) {
    const size_t lane = (partition + next) % watched_.size();
    if (!watched_[lane].stands) return lane;
  }
  return std::nullopt;
}

void LaneWatch::begin(const frontier::Lease& lease, size_t lane) {
  ++watched_[lane].visits;
  visits_.emplace(lease.id, Visit{lane, lease.candidate.url});
}

void LaneWatch::end(uint64_t lease) {
  const auto visit = visits_.find(lease);
  if (visit == visits_.end()) return;
  --watched_[visit->second.lane].visits;
  visits_.erase(visit);
}

std::optional<size_t> LaneWatch::lane_of(uint64_t lease) const {
  const auto visit = visits_.find(lease);
  return visit == visits_.end() ? std::nullopt : std::optional(visit->second.lane);
}

std::vector<LaneWatch::Change> LaneWatch::look(SteadyTime now) {
  std::vector<Change> changes;
  for (size_t lane = 0; lane < lanes_.size(); ++lane) {
    Watched& watched = watched_[lane];
    if (lanes_[lane]->pulse().has_answered()) {
      if (watched.stands) changes.push_back({describe_lane(lane, now), false});
      watched.stands = false;
      watched.looks = 0;
      watched.asked = now;
      lanes_[lane]->pulse().ask();
    } else if (++watched.looks == patience_) {
      // Looks are counted, not time: a process that was stopped for an hour has looked once.
      watched.stands = true;
      changes.push_back({describe_lane(lane, now), true});
    }
  }
  return changes;
}

StandingLane LaneWatch::describe_lane(size_t lane, SteadyTime now) const {
  StandingLane standing{lane, {}, {}, now - watched_[lane].asked};
  const visit::LanePulse::Step step = lanes_[lane]->pulse().now();
  const auto visit = visits_.find(step.lease);
  if (visit == visits_.end() || step.name == nullptr) return standing;
  standing.url = visit->second.url;
  standing.step = step.name;
  return standing;
}

std::vector<StandingLane> LaneWatch::standing(SteadyTime now) const {
  std::vector<StandingLane> found;
  for (size_t lane = 0; lane < watched_.size(); ++lane)
    if (watched_[lane].stands) found.push_back(describe_lane(lane, now));
  return found;
}

uint64_t LaneWatch::held() const {
  uint64_t visits = 0;
  for (const Watched& watched : watched_)
    if (watched.stands) visits += watched.visits;
  return visits;
}

}  // namespace caddis::crawl
