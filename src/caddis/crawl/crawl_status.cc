#include "caddis/crawl/crawl_status.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/counted.h"
#include "caddis/base/time_format.h"
#include "caddis/commit/committer.h"
#include "caddis/crawl/completion.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/feed_watch.h"
#include "caddis/crawl/lane_pool.h"
#include "caddis/crawl/limit_enforcer.h"
#include "caddis/crawl/load_governor.h"
#include "caddis/crawl/progress_line.h"
#include "caddis/crawl/slowness.h"
#include "caddis/crawl/visit_gate.h"

namespace caddis::crawl {
namespace {

constexpr size_t kRateTicks = 10;

double rate(uint64_t amount, double seconds) { return seconds > 0 ? static_cast<double>(amount) / seconds : 0; }

// Why a crawl that runs on has nothing to visit.
std::string why_empty(const frontier::Stats& stats) {
  std::string why;
  if (stats.queued_over > 0)
    why = counted(stats.queued_over, "URL waits", "URLs wait") + " for a higher quota (caddis resume --set …)";
  if (const uint64_t retired = stats.queued_retired_by_order(); retired > 0)
    why += fmt::format("{}{} retired (caddis frontier --unretire, or frontier.retire: false)", why.empty() ? "" : ", ",
                       counted(retired, "URL is", "URLs are"));
  return why.empty() ? "no URL waits; add some (caddis frontier --add), or stop the crawl" : why;
}

}  // namespace

void StatusReporter::tick() {
  recent_.emplace_back(parts_.state.statistics.documents(), parts_.state.statistics.bytes());
  if (recent_.size() > kRateTicks) recent_.erase(recent_.begin());
}

std::string StatusReporter::why_it_waits(RunState state) const {
  const Holds holds = parts_.gate.holds();
  const bool is_worse = holds.has(Hold::unwritable) || holds.has(Hold::no_lane);
  if (!is_worse && parts_.completion.only_held_visits_left())
    return "only visits of lanes that stand still are left: the crawl stops in a few minutes, and can be resumed";
  std::string why = parts_.gate.sentence(holds);
  if (why.empty() && state == RunState::empty) why = parts_.feeds.waits_for();
  if (why.empty() && state == RunState::empty) why = why_empty(parts_.state.frontier->stats());
  return why;
}

std::string StatusReporter::why_it_is_slow() const {
  if (parts_.gate.holds().has(Hold::last_documents) && parts_.lanes.visiting() > 0) {
    const auto limit = static_cast<uint64_t>(parts_.state.settings.now().limits.max_documents);
    return fmt::format("max-documents: the last of its {} are taken by {}", counted(limit, "place"),
                       counted(parts_.lanes.visiting(), "visit that still runs", "visits that still run"));
  }
  return slow_because(survey().states, parts_.load.max_visits());
}

void StatusReporter::add_counts(CrawlStatus& status) const {
  const Statistics& statistics = parts_.state.statistics;
  status.elapsed = statistics.running_time();
  status.documents = statistics.documents();
  status.bytes = statistics.bytes();
  status.novel_bytes = statistics.novel_bytes();
  status.warc_bytes = statistics.warc_bytes();
  status.repeated = statistics.repeats().repeated();
  status.unchanged = statistics.repeats().unchanged();
  status.failed = statistics.failed();
  status.excluded = statistics.excluded();
  const frontier::Stats stats = parts_.state.frontier->stats();
  status.queued = stats.queued;
  status.seen = stats.seen;
  status.visiting = stats.visiting;
  status.active_hosts = stats.hosts;
  status.hosts_aside = stats.hosts_aside;
  status.late = stats.late;
  status.queued_retired = stats.queued_retired;
  status.queued_over_quota = stats.queued_over;
  status.backlog = parts_.committer.backlog();
  status.review = parts_.review.progress();
}

void StatusReporter::add_rates(CrawlStatus& status) const {
  const double seconds = std::chrono::duration<double>(status.elapsed).count();
  status.documents_per_second_average = rate(status.documents, seconds);
  status.bytes_per_second_average = rate(status.bytes, seconds);
  if (recent_.size() <= 1) return;
  const double span = static_cast<double>(recent_.size() - 1);
  status.documents_per_second = rate(recent_.back().first - recent_.front().first, span);
  status.bytes_per_second = rate(recent_.back().second - recent_.front().second, span);
}

CrawlStatus StatusReporter::status() const {
  CrawlStatus status;
  status.state = parts_.lifecycle.state();
  const bool is_running = parts_.lifecycle.is_running();
  if (is_running && parts_.state.frontier->is_empty() && !parts_.limits.ran_dry()) status.state = RunState::empty;
  status.waits_for = why_it_waits(status.state);
  add_counts(status);
  add_rates(status);
  status.limits = parts_.limits.in_use();
  const frontier::QueueSurvey& found = survey();
  status.slowest = found.slowest;
  status.waits = found.states;
  if (is_running && status.waits_for.empty()) status.slow_because = why_it_is_slow();
  status.checkpoints = parts_.state.checkpoints;
  status.standing = parts_.lanes.standing(parts_.clock.steady());
  return status;
}

// With millions of hosts a survey takes a good part of a second: one holds for twenty times as long as it took, so that
// being asked again and again costs the crawl a twentieth at most.
const frontier::QueueSurvey& StatusReporter::survey() const {
  constexpr int kTimes = 20;
  const SteadyTime now = parts_.clock.steady();
  if (now < survey_holds_until_) return survey_;
  survey_ = parts_.state.frontier->admin().survey(5);
  const SteadyTime done = parts_.clock.steady();
  survey_holds_until_ = done + kTimes * (done - now);
  return survey_;
}

std::string StatusReporter::progress_line() const {
  const CrawlStatus status = this->status();
  const auto& largest = survey().largest;
  const uint64_t queues = parts_.state.frontier->stats().queues;
  return crawl::progress_line({.time = parts_.clock.wall(),
                               .discovered = status.seen,
                               .queued = status.queued,
                               .downloaded = status.documents,
                               .documents_per_second = status.documents_per_second,
                               .documents_per_second_average = status.documents_per_second_average,
                               .bytes_per_second = status.bytes_per_second,
                               .bytes_per_second_average = status.bytes_per_second_average,
                               .failed = status.failed,
                               .visiting = status.visiting,
                               .memory = parts_.load.memory_used(),
                               .memory_allowed = static_cast<uint64_t>(parts_.state.settings.now().memory.total),
                               .congestion = congestion(survey().states),
                               .deepest = largest.empty() ? -1 : static_cast<int64_t>(largest.front().queued),
                               .average = queues == 0 ? 0 : status.queued / queues});
}

}  // namespace caddis::crawl
