#include "caddis/crawl/hang_watch.h"

#include <fmt/format.h>

#include "caddis/base/fetch_status.h"
#include "caddis/base/time_format.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/event_log.h"
#include "caddis/crawl/lane_pool.h"
#include "caddis/crawl/lifecycle.h"
#include "caddis/crawl/meta_rows.h"
#include "caddis/crawl/store_layout.h"

namespace caddis::crawl {
namespace {

// Looks, one a second, before a crawl ends of which nothing is left but visits of lanes that stand still.
constexpr uint64_t kLooksAtHeldVisits = 300;

}  // namespace

Result<void> HangWatch::load(store::Kv& kv) {
  TRY(const auto rows, rows_of(kv, kHungRow));
  for (const auto& [url, row] : rows) hung_.load(url, row);
  return {};
}

void HangWatch::judge(frontier::Lease& lease) const {
  std::string verdict = hung_.verdict(lease.candidate.url);
  if (verdict.empty()) return;
  lease.given_up = status::kRuntimeException;
  lease.why = std::move(verdict);
}

// A prerequisite that was given up is asked for again, and has to be given up again.
void HangWatch::visit_ended(const frontier::Disposition& disposition) {
  const frontier::Lease& lease = disposition.lease;
  if (disposition.verdict == frontier::Verdict::returned) return;
  if (lease.given_up != 0 && lease.kind != frontier::LeaseKind::url) return;
  if (hung_.forget(lease.candidate.url)) rows_.erase(std::string(kHungRow) + lease.candidate.url);
}

bool HangWatch::look(SteadyTime now, bool only_held_left) {
  const auto changes = lanes_.look(now);
  for (const LaneWatch::Change& change : changes) {
    const std::string text =
        change.stands
            ? fmt::format("STANDS STILL: {}; the crawl goes on without it, and can be stopped", describe(change.lane))
            : fmt::format("GOES ON: lane {} is back after {}", change.lane.lane,
                          format_duration(std::chrono::floor<std::chrono::seconds>(change.lane.time)));
    if (change.stands) record(change.lane);
    log_.report(text);
  }
  leave_held_visits(only_held_left);
  return !changes.empty();
}

// Such a crawl would wait for ever. A lane may come back late, so it waits for a while.
void HangWatch::leave_held_visits(bool only_held_left) {
  if (!only_held_left) {
    looks_at_held_visits_ = 0;
    return;
  }
  if (++looks_at_held_visits_ < kLooksAtHeldVisits) return;
  lifecycle_.stop({EndReason::stopped, "nothing is left but visits of lanes that stand still"});
  log_.report("STOPS: " + lifecycle_.end().text);
}

// With the next group, so that it is known to whoever resumes the crawl.
void HangWatch::record(const StandingLane& lane) {
  if (lane.url.empty()) return;
  rows_.put(std::string(kHungRow) + lane.url, hung_.add(lane.url, lane.step));
}

}  // namespace caddis::crawl
