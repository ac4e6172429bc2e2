// The status of a crawl: its doings now, in numbers and in words.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/crawl/checkpoint.h"
#include "caddis/crawl/lane_watch.h"
#include "caddis/crawl/lifecycle.h"
#include "caddis/crawl/limits.h"
#include "caddis/crawl/repeat_tallies.h"
#include "caddis/crawl/scope_review.h"
#include "caddis/frontier/inspection.h"
#include "caddis/frontier/url_ledger.h"

namespace caddis::commit {
class Committer;
}  // namespace caddis::commit

namespace caddis::crawl {

class Completion;
class FeedWatch;
class LanePool;
class LimitEnforcer;
class LoadGovernor;
class ScopeReview;
class VisitGate;
struct CrawlState;

// How much of what came was new.
struct Novelty {
  uint64_t novel_bytes = 0;
  Tally repeated, unchanged;  // prerequisites among them
};

struct CrawlStatus : Novelty {
  RunState state = RunState::running;
  std::string waits_for;  // why it stands still, if it does
  Duration elapsed{};
  uint64_t documents = 0, bytes = 0, failed = 0, excluded = 0, queued = 0, seen = 0;
  uint64_t visiting = 0, active_hosts = 0, hosts_aside = 0, backlog = 0;
  double documents_per_second = 0, documents_per_second_average = 0, bytes_per_second = 0, bytes_per_second_average = 0;
  uint64_t queued_retired = 0, queued_over_quota = 0;
  uint64_t warc_bytes = 0;
  std::vector<LimitUse> limits;
  frontier::LateVisits late;
  std::vector<frontier::QueueReport> slowest;
  frontier::QueueStates waits;
  std::string slow_because;             // "politeness: 37 of 40 queues wait for their delay"; empty if nothing waits
  std::vector<Checkpoint> checkpoints;  // the oldest first
  std::vector<StandingLane> standing;
  ReviewProgress review;
};

// Belongs to the crawl's loop.
class StatusReporter {
 public:
  struct Parts {
    const Clock& clock;
    const CrawlState& state;
    const Lifecycle& lifecycle;
    const commit::Committer& committer;
    const LanePool& lanes;
    const LoadGovernor& load;
    const LimitEnforcer& limits;
    const VisitGate& gate;
    const Completion& completion;
    const ScopeReview& review;
    const FeedWatch& feeds;
  };
  // All of it must outlive the reporter.
  explicit StatusReporter(Parts parts) : parts_(parts) {}

  // Once a second, for rates.
  void tick();
  WallTime now() const { return parts_.clock.wall(); }
  CrawlStatus status() const;
  // A line of progress-statistics.log, with Heritrix's columns.
  std::string progress_line() const;

 private:
  void add_counts(CrawlStatus& status) const;
  void add_rates(CrawlStatus& status) const;
  std::string why_it_waits(RunState state) const;
  std::string why_it_is_slow() const;
  const frontier::QueueSurvey& survey() const;

  const Parts parts_;
  std::vector<std::pair<uint64_t, uint64_t>> recent_;  // documents and bytes at the last ticks
  mutable frontier::QueueSurvey survey_;
  mutable SteadyTime survey_holds_until_{};
};

}  // namespace caddis::crawl
