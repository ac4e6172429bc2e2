// All that people ask of a crawl while it runs: what it is doing, and what it is to do otherwise. Every change is
// logged in progress-statistics.log. It is in force when its call returns, and safe from any death when `keep` has
// ended well: before that nobody should be told that it is done.
//
// Belongs to the crawl's loop.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/config/remarks.h"
#include "caddis/crawl/checkpoint.h"
#include "caddis/crawl/crawl_status.h"
#include "caddis/crawl/operator_scripts.h"
#include "caddis/crawl/scope_question.h"
#include "caddis/crawl/settings_edit.h"
#include "caddis/crawl/url_intake.h"
#include "caddis/frontier/frontier.h"
#include "caddis/settings/sections.h"
#include "caddis/visit/running_visit.h"

namespace caddis::aio {
class Loop;
}  // namespace caddis::aio

namespace caddis::crawl {

class FeedWatch;
struct CrawlParts;
struct CrawlState;
class ReportDesk;
class SettingsUpdater;

class Operator;
// Names who asks for what the operator does next, for the logs; empty: nobody known.
void name_actor(Operator& crawl, std::string_view who);
// The feeds that the crawl polls.
FeedWatch& feeds_of(Operator& crawl);
// No more may begin in it.
bool is_ending(const Operator& crawl);

class Operator {
 public:
  // All of it must outlive the operator. `hostname`: of the machine that the crawl runs on.
  Operator(std::string hostname, aio::Loop& loop, CrawlState& state, CrawlParts& parts, const StatusReporter& reporter,
           SettingsUpdater& updater, ReportDesk& reports);

  // --- to look
  CrawlStatus status() const { return reporter_.status(); }
  const CrawlState& state() const { return state_; }
  const std::string& hostname() const { return hostname_; }
  frontier::CrawlFrontier& frontier();
  // The visits that run, and at which step, those that have run longest first.
  aio::Task<std::vector<visit::RunningVisit>> running_visits();
  // A URL as it would be scheduled. ErrorCode::config if it is none that can be crawled.
  Result<frontier::ScheduledUrl> scheduled_url_of(std::string_view url);
  // The names of the sheets that hold for a URL, the later counts.
  Result<std::vector<std::string>> sheets_of(std::string_view url);
  // The verdicts of the scope's rules on a URL now.
  Result<ScopeAnswer> explain_scope(const ScopeQuestion& question) {
    return crawl::explain_scope(state_, question, now());
  }

  // --- the crawl as a whole
  void pause();
  // ErrorCode::conflict if a limit is reached at which the crawl pauses.
  Result<void> resume();
  void stop(std::string why);
  // Takes a checkpoint while the crawl goes on, under a name, which is kept for ever, or under an automatic one.
  // ErrorCode::conflict if there is one of that name, or the crawl is ending.
  aio::Task<Result<Checkpoint>> checkpoint(std::string name);
  // At once and for good: all or none. Visits in flight go on with those with which they began, and pauses that have
  // begun end as they were. ErrorCode::config if a setting may not change, or not so.
  Result<std::vector<settings::Change>> change_settings(const SettingsEdit& edit);
  // To be awaited before `change_settings` (SettingsUpdater::prepare). Whatever is wrong with the edit is told there.
  aio::Task<void> prepare_settings(SettingsEdit edit);
  // Tells what it would change, what is said about that, and what of it would be refused. ErrorCode::config if the edit
  // itself is wrong: a name, a value, settings that contradict each other.
  struct SettingsPlan {
    config::Settings wanted;
    std::vector<settings::Change> changes;
    std::vector<config::Remark> remarks;  // on what changes; a warning is refused
  };
  Result<SettingsPlan> plan_settings(const SettingsEdit& edit) const;
  const config::Settings& settings() const;
  // By the clock of the crawl.
  WallTime now() const { return reporter_.now(); }
  // Whether what is asked for now can be kept. ErrorCode::io while nothing can be written: it would be lost if the crawl
  // ended before there is room again.
  Result<void> can_persist() const;
  // Waits until all that was asked for is on disk. ErrorCode::io if it cannot be written: then it is in force all the
  // same, and written as soon as there is room.
  aio::Task<Result<void>> keep();
  OperatorScripts& scripts() { return scripts_; }
  ReportDesk& reports() { return reports_; }

  // --- its URLs
  struct AddedUrl {
    std::string url, via, hops;
    bool is_seed = false;  // widens the scope, as the seeds of the settings do
    bool force = false;    // though it was seen
    std::optional<frontier::Precedence> precedence;
  };
  // Takes all or none. No scope is asked, the operator has decided; what is over a budget is left out.
  Result<TakenUrls> add_urls(const std::vector<AddedUrl>& urls);
  // Ends seeds (SeedScan::remove): all or none. ErrorCode::not_found if one of them is none. Returns how many were
  // ended, those among them that they have redirected to.
  aio::Task<Result<uint64_t>> remove_seeds(std::vector<std::string> urls);
  // Each is on record as deleted (-6000). `what` says for the log which ones.
  Result<frontier::Erased> erase(frontier::WaitingQuery query, std::string_view what);
  Result<void> order(const std::string& host, const frontier::HostOverrides& orders);
  Result<void> retire_queue(const std::string& origin, bool retired);
  Result<frontier::Woken> wake(const std::string& host, const std::string& marker);
  // Ends the visit of that URL with -7000. ErrorCode::not_found if it is not being visited, ErrorCode::conflict if it
  // is a prerequisite.
  Result<void> end_visit(const std::string& url);

 private:
  friend void name_actor(Operator& crawl, std::string_view who);
  friend FeedWatch& feeds_of(Operator& crawl);
  friend bool is_ending(const Operator& crawl);
  // Visits may begin, or the crawl may be over.
  void changed();

  const std::string hostname_;
  CrawlState& state_;
  CrawlParts& parts_;
  const StatusReporter& reporter_;
  SettingsUpdater& updater_;
  ReportDesk& reports_;
  OperatorScripts scripts_;
};

}  // namespace caddis::crawl
