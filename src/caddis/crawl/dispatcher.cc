#include "caddis/crawl/dispatcher.h"

#include "caddis/commit/committer.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/hang_watch.h"
#include "caddis/crawl/lane_pool.h"
#include "caddis/crawl/lifecycle.h"
#include "caddis/crawl/limit_enforcer.h"
#include "caddis/crawl/load_governor.h"
#include "caddis/crawl/seen_tasks.h"
#include "caddis/crawl/visit_gate.h"
#include "caddis/crawl/visit_ledger.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {
namespace {

constexpr Duration kReviewPause = std::chrono::milliseconds(10);

}  // namespace

void Dispatcher::dispatch() {
  Holds holds = parts_.gate.holds();
  while (!holds.any() && begin_next()) holds = parts_.gate.holds();
  parts_.lanes.send();
  if (holds.are_only({Hold::visits, Hold::memory})) parts_.load.note_limit_reached();
  if (parts_.state.frontier->wants_commit()) parts_.committer.commit_soon();
  // All stands still until it is written: not only when the next group is committed.
  if (holds.has(Hold::seen)) parts_.seen_tasks.changed().notify();
  arm_timer();
  if (parts_.lanes.visiting() == 0) parts_.lifecycle.changed().notify();
}

// False if none is due.
bool Dispatcher::begin_next() {
  auto lease = parts_.state.frontier->next();
  if (!lease) {
    // It may be half done: nothing more may be committed.
    parts_.committer.fail(lease.error());
    return false;
  }
  if (!*lease) return false;
  parts_.hangs.judge(**lease);
  parts_.lanes.assign(**std::move(lease));
  ++visits_begun_;
  return true;
}

// One timer, for the moment at which the next queue is due.
void Dispatcher::arm_timer() {
  const SteadyTime now = parts_.loop.clock().steady();
  auto due = parts_.lifecycle.is_running() ? parts_.state.frontier->next_due() : std::nullopt;
  if (due && parts_.state.frontier->is_reviewing()) due = now + kReviewPause;
  if (due == timer_at_) return;
  if (timer_at_) parts_.loop.cancel(timer_);
  timer_at_ = due;
  if (!due || *due <= now) {
    // Due already, and still not leased: something else is at its limit, and dispatches when it is not.
    timer_at_.reset();
    return;
  }
  timer_ = parts_.loop.at(*due, [this] {
    timer_at_.reset();
    dispatch();
  });
}

void Dispatcher::close() {
  if (timer_at_) parts_.loop.cancel(timer_);
  timer_at_.reset();
}

void Dispatcher::take(std::vector<visit::VisitResult> results) {
  if (parts_.lifecycle.has_ended()) return;  // of a lane that was left behind: it comes too late
  for (visit::VisitResult& result : results) settle(std::move(result));
  parts_.limits.check();
  dispatch();
}

void Dispatcher::settle(visit::VisitResult result) {
  parts_.lanes.visit_ended(result.disposition.lease.id);
  parts_.hangs.visit_ended(result.disposition);
  const bool is_allowed_more = !result.new_ranges.empty();
  parts_.ledger.end_visit(std::move(result));
  if (is_allowed_more) parts_.state.frontier->admin().recheck_refused();
}

}  // namespace caddis::crawl
