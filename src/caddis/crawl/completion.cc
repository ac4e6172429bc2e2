#include "caddis/crawl/completion.h"

#include "caddis/commit/committer.h"
#include "caddis/crawl/action_directory.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/feed_watch.h"
#include "caddis/crawl/lane_pool.h"
#include "caddis/crawl/lifecycle.h"
#include "caddis/crawl/limit_enforcer.h"
#include "caddis/crawl/seed_intake.h"
#include "caddis/crawl/visit_gate.h"

namespace caddis::crawl {

bool Completion::takes_actions() const { return parts_.actions && parts_.actions->is_busy(); }

bool Completion::takes_seeds() const { return parts_.seeds && parts_.seeds->is_busy(); }

bool Completion::is_over() const {
  const Lifecycle& lifecycle = parts_.lifecycle;
  if (parts_.committer.is_fatal()) return true;
  if (parts_.lanes.visiting() != 0 || (!gives_up_held_ && parts_.lanes.held() != 0)) return false;
  if (lifecycle.is_running() && takes_actions()) return false;
  // An operator who has paused it may be about to give it something.
  const bool is_held = lifecycle.is_paused() && lifecycle.paused_at().empty();
  return lifecycle.state() == RunState::stopping || (parts_.limits.ran_dry() && !lifecycle.is_importing() && !is_held);
}

bool Completion::only_held_visits_left() const {
  if (parts_.lanes.held() == 0 || parts_.lanes.visiting() != 0) return false;
  const bool waits_for_urls = (parts_.state.settings.now().limits.run_while_empty && !parts_.limits.runs_dry()) ||
                              parts_.feeds.keeps_crawl_open();
  return !parts_.gate.holds().stop_clocks() && !waits_for_urls && !takes_actions() && !takes_seeds() &&
         !parts_.state.frontier->next_due();
}

bool Completion::looks_once_more() {
  if (!parts_.lifecycle.is_running() || !parts_.actions || parts_.committer.is_fatal() ||
      files_at_last_look_ == parts_.actions->files_taken())
    return false;
  files_at_last_look_ = parts_.actions->files_taken();
  parts_.actions->look_now();
  return true;
}

}  // namespace caddis::crawl
