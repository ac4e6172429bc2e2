// Holds a crawl to its limits: looks how much of each is used, and does what limits.at-limit says when one is reached.
//
// Belongs to the crawl's loop.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/crawl/limits.h"

namespace caddis::crawl {

class Lifecycle;
class LiveSettings;
class Statistics;

class LimitEnforcer {
 public:
  // The rest of the crawl, as far as it needs it.
  struct Hooks {
    std::function<bool()> is_empty;                         // no URL waits, and none is being visited
    std::function<void(std::string why)> give_up_all;       // what waits, and what is found from now on
    std::function<void(std::string_view happened)> report;  // for people
  };
  // All of it must outlive the enforcer.
  LimitEnforcer(Lifecycle& lifecycle, const LiveSettings& settings, const Statistics& statistics, Hooks hooks)
      : lifecycle_(lifecycle), settings_(settings), statistics_(statistics), hooks_(std::move(hooks)) {}

  // Once a second. `clocks_run`: visits may begin, so that silence and idleness count; `received`: bytes so far;
  // `begun`: visits so far; `visiting`: those in flight.
  void observe(SteadyTime now, bool clocks_run, uint64_t received, uint64_t begun, uint64_t visiting) {
    activity_.look(now, clocks_run, received, begun, visiting);
  }
  // Does what is to be done if a limit is reached.
  void check();
  // The limit that keeps a paused crawl from going on, if any. Silence and idleness are counted anew.
  std::optional<ReachedLimit> keeps_paused();

  std::vector<LimitUse> in_use() const;
  // A limit was reached at which what waits is given up: the crawl ends when nothing is left.
  bool runs_dry() const { return runs_dry_; }
  // Whether nothing is left to do, and nothing is waited for.
  bool ran_dry() const;

 private:
  LimitCounts counts() const;

  Lifecycle& lifecycle_;
  const LiveSettings& settings_;
  const Statistics& statistics_;
  const Hooks hooks_;
  Activity activity_;
  bool runs_dry_ = false;
};

}  // namespace caddis::crawl
