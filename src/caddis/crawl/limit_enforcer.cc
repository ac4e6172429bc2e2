#include "caddis/crawl/limit_enforcer.h"

#include <fmt/format.h>

#include "caddis/crawl/lifecycle.h"
#include "caddis/crawl/settings_snapshot.h"
#include "caddis/crawl/statistics.h"

namespace caddis::crawl {

LimitCounts LimitEnforcer::counts() const {
  return {statistics_.documents(),    statistics_.bytes(), statistics_.novel_bytes(), statistics_.warc_bytes(),
          statistics_.running_time(), activity_.silence(), activity_.idle()};
}

std::vector<LimitUse> LimitEnforcer::in_use() const { return limits_in_use(settings_.now().limits, counts()); }

bool LimitEnforcer::ran_dry() const {
  return hooks_.is_empty() && (!settings_.now().limits.run_while_empty || runs_dry_);
}

// A recovery log comes first: what waits in it waits from then on, also in a crawl that stands at its limit.
void LimitEnforcer::check() {
  if (!lifecycle_.is_running() || runs_dry_ || lifecycle_.is_importing()) return;
  const auto limit = limit_reached(settings_.now().limits, counts());
  if (!limit || ran_dry()) return;
  switch (settings_.now().limits.at_limit) {
    case config::AtLimit::end:
      lifecycle_.stop({EndReason::limit, limit->text, limit->name});
      break;
    case config::AtLimit::pause:
      lifecycle_.pause(limit->text);
      hooks_.report(fmt::format("PAUSED {}", limit->text));
      break;
    case config::AtLimit::block:
      lifecycle_.will_end({EndReason::limit, limit->text, limit->name});
      runs_dry_ = true;
      hooks_.give_up_all("limit:" + std::string(limit->name));
      hooks_.report(fmt::format("GIVES UP WHAT WAITS {}", limit->text));
      lifecycle_.changed().notify();
      break;
  }
}

std::optional<ReachedLimit> LimitEnforcer::keeps_paused() {
  activity_.restart();
  if (settings_.now().limits.at_limit != config::AtLimit::pause) return std::nullopt;
  return limit_reached(settings_.now().limits, counts());
}

}  // namespace caddis::crawl
