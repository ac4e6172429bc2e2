// Lanes that stand still: seen, told, on record, and left behind by a crawl that is to end.

#include <fmt/format.h>

#include "caddis/base/fetch_status.h"
#include "caddis/base/time_format.h"
#include "caddis/commit/committer.h"
#include "caddis/crawl/engine.h"
#include "caddis/crawl/meta_rows.h"
#include "caddis/crawl/outputs.h"
#include "caddis/crawl/store_layout.h"

namespace caddis::crawl {
namespace {

// Looks, one a second, before a crawl ends of which nothing is left but visits of lanes that stand still.
constexpr uint64_t kLooksAtHeldVisits = 300;

}  // namespace

Result<void> Engine::load_hung_urls() {
  TRY(const auto rows, rows_of(kHungRow));
  for (const auto& [url, row] : rows) hung_.load(url, row);
  return {};
}

// Visits of lanes that do not stand still.
uint64_t Engine::visiting() const { return frontier_->visiting() - lane_watch_->held(); }

// What has stopped a lane again and again is on record, and not tried any more.
void Engine::judge_by_hangs(frontier::Lease& lease) const {
  std::string verdict = hung_.verdict(lease.candidate.url);
  if (verdict.empty()) return;
  lease.given_up = status::kRuntimeException;
  lease.why = std::move(verdict);
}

void Engine::look_at_lanes(SteadyTime now) {
  const auto changes = lane_watch_->look(now);
  for (const LaneWatch::Change& change : changes) {
    const std::string text =
        change.stands
            ? fmt::format("STANDS STILL: {}; the crawl goes on without it, and can be stopped", describe(change.lane))
            : fmt::format("GOES ON: lane {} is back after {}", change.lane.lane,
                          format_duration(std::chrono::floor<std::chrono::seconds>(change.lane.time)));
    if (change.stands) note_hang(change.lane);
    tell(text);
  }
  leave_held_visits();
  if (changes.empty()) return;
  changed_.notify();
  dispatch();
}

// Nothing is visited or waits for its time, but for what lanes that stand still have, or hold up.
bool Engine::only_held_visits_left() const {
  const bool may_visit = state_ == State::running && !disk_low_ && !recover_ && committer_->trouble().empty();
  const bool is_fed = (settings_.limits.run_while_empty && !runs_dry_) || (actions_ && actions_->is_busy());
  return may_visit && !is_fed && lane_watch_->held() > 0 && visiting() == 0 && !frontier_->next_due();
}

// Such a crawl would wait for ever. A lane may come back late, so it waits for a while.
void Engine::leave_held_visits() {
  if (!only_held_visits_left()) {
    looks_at_held_visits_ = 0;
    return;
  }
  if (++looks_at_held_visits_ < kLooksAtHeldVisits) return;
  end_ = {EndReason::stopped, "nothing is left but visits of lanes that stand still"};
  state_ = State::stopping;
  tell("STOPS: " + end_.text);
  changed_.notify();
}

// With the next group, so that it is known to whoever resumes the crawl.
void Engine::note_hang(const StandingLane& lane) {
  if (lane.url.empty()) return;
  outputs_->meta().put(std::string(kHungRow) + lane.url, hung_.add(lane.url, lane.step));
}

// It has ended all the same, or is given up for good. A prerequisite that was given up is asked for again, and has to
// be given up again.
void Engine::forget_hang(const frontier::Disposition& disposition) {
  const frontier::Lease& lease = disposition.lease;
  if (disposition.verdict == frontier::Verdict::returned) return;
  if (lease.given_up != 0 && lease.kind != frontier::LeaseKind::url) return;
  if (hung_.forget(lease.candidate.url)) outputs_->meta().erase(std::string(kHungRow) + lease.candidate.url);
}

// Waits for the visits of all lanes that come back to their loops.
aio::Task<void> Engine::drain_lanes() {
  if (committer_->is_fatal())
    for (const auto& lane : lanes_) lane->abort();
  drained_.resize(lanes_.size());
  for (size_t lane = 0; lane < lanes_.size(); ++lane)
    lanes_[lane]->drain([this, lane] {
      world_.loop.post([this, lane] {
        drained_[lane] = true;
        changed_.notify();
      });
    });
  size_t lane = 0;
  while (lane < lanes_.size()) {
    if (drained_[lane] || lane_watch_->stands(lane))
      has_left_any_ |= !drained_[lane++];
    else
      co_await changed_.wait();
  }
}

}  // namespace caddis::crawl
