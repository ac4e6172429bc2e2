#include "caddis/crawl/outputs.h"

#include <concepts>
#include <optional>
#include <utility>

#include "caddis/collection/launch.h"
#include "caddis/commit/committer.h"
#include "caddis/crawl/action_progress.h"
#include "caddis/crawl/alert_log.h"
#include "caddis/crawl/cookie_rows.h"
#include "caddis/crawl/crawl_log.h"
#include "caddis/crawl/crawl_state_listener.h"
#include "caddis/crawl/digest_rows.h"
#include "caddis/crawl/dropped_urls.h"
#include "caddis/crawl/error_log.h"
#include "caddis/crawl/feed_book.h"
#include "caddis/crawl/found_seeds.h"
#include "caddis/crawl/frontier_rows.h"
#include "caddis/crawl/host_key_rows.h"
#include "caddis/crawl/index_journal.h"
#include "caddis/crawl/job_log.h"
#include "caddis/crawl/log_rotation.h"
#include "caddis/crawl/meta_rows.h"
#include "caddis/crawl/module_listeners.h"
#include "caddis/crawl/outcome_logs.h"
#include "caddis/crawl/outlink_log.h"
#include "caddis/crawl/page_list.h"
#include "caddis/crawl/progress_log.h"
#include "caddis/crawl/progress_series.h"
#include "caddis/crawl/recovery_log.h"
#include "caddis/crawl/runtime_log.h"
#include "caddis/crawl/seed_rows.h"
#include "caddis/crawl/seen_log.h"
#include "caddis/crawl/site_tallies.h"
#include "caddis/crawl/statistics.h"
#include "caddis/crawl/unqueued_links.h"
#include "caddis/crawl/uri_error_log.h"
#include "caddis/crawl/visit_ledger.h"
#include "caddis/dedup/index_key.h"

namespace caddis::crawl {

struct Outputs::All {
  All(const collection::Launch& launch, Options options, const Sources& sources)
      : statistics(sources.statistics),
        rows{{},
             SeedRows(sources.kv),
             {},
             {sources.kv, sources.clock},
             HostKeyRows(sources.kv),
             FeedBook(sources.kv, sources.clock)},
        found_seeds(rows.meta, rows.seeds, sources.statistics),
        counted{FrontierRows(sources.frontier, sources.statistics),
                {},
                SiteTallies(sources.kv),
                ProgressSeries(sources.clock, sources.statistics, sources.frontier, sources.kv)},
        logs(launch, options.logs, options.undo.most, sources),
        pages(launch.pages()),
        seen(launch.seen_log(), sources.seen, options.undo.most),
        undo(options.undo),
        digests(sources.kv, options.digests_in_memory, dedup::index_key_by(options.archive.index_key)),
        index_journal(launch.cdx_journal()),
        modules(std::move(options.modules)),
        archive(std::move(options.archive), sources.clock, sources.random) {
    if (options.writes_recovery_log) recovery_log.emplace(launch.recovery_log());
  }

  Statistics& statistics;
  // Parts of the state that others read and change.
  struct Rows {
    MetaRows meta;
    SeedRows seeds;
    ActionProgressRows action_progress;
    CookieRows cookies;
    HostKeyRows host_keys;
    FeedBook feeds;
  };
  Rows rows;
  FoundSeeds found_seeds;
  // The frontier's changes, and counters beside the statistics.
  struct Counted {
    FrontierRows frontier;
    DroppedUrls dropped;
    SiteTallies sites;
    ProgressSeries series;
  };
  Counted counted;
  struct Logs {
    Logs(const collection::Launch& launch, const config::LogSettings& wanted, uint64_t commits_kept,
         const Sources& sources)
        : settings(wanted),
          rotation(sources.clock, settings, commits_kept),
          error(launch.error_log()),
          runtime(file(launch, kRuntimeStream)),
          uri_errors(file(launch, kUriErrorStream), sources.clock, settings),
          alerts(file(launch, kAlertStream), sources.clock),
          job(file(launch, kJobStream), launch.name.substr(launch.name.rfind('-') + 1), sources.clock),
          progress(launch.progress_log(), sources.clock),
          outcomes({launch.logs(), launch.name, wanted}) {
      if (settings.crawl_log) crawl.emplace(launch.crawl_log(), settings);
      if (settings.outlinks) outlinks.emplace(collection::outlink_log_of(launch));
      if (settings.rejected_links)
        unqueued.emplace(sources.clock, sources.frontier, sources.identity, sources.crawl_key, outcomes);
    }
    static std::string file(const collection::Launch& launch, const char* stream) {
      return launch.logs() + "/" + stream;
    }
    config::LogSettings settings;  // of the moment
    LogRotation rotation;
    std::optional<CrawlLog> crawl;
    std::optional<OutlinkLog> outlinks;
    ErrorLog error;
    RuntimeLog runtime;
    UriErrorLog uri_errors;
    AlertLog alerts;
    JobLog job;
    ProgressLog progress;
    OutcomeLogs outcomes;
    std::optional<UnqueuedLinks> unqueued;
  };
  Logs logs;
  PageList pages;
  SeenLog seen;
  std::optional<RecoveryLog> recovery_log;
  UndoLog undo;
  DigestRows digests;
  IndexJournal index_journal;
  std::unique_ptr<ModuleListeners> modules;
  ArchiveWriters archive;
};

Outputs::Outputs(const collection::Launch& launch, Options options, const Sources& sources)
    : all_(std::make_unique<All>(launch, std::move(options), sources)) {}

Outputs::~Outputs() = default;

Result<void> Outputs::load(store::Kv& kv) {
  TRY_VOID(all_->archive.load(kv));
  return all_->logs.rotation.load(kv);
}

void Outputs::follow(const config::LogSettings& settings) {
  all_->logs.settings = settings;
  all_->logs.outcomes.follow(settings);
}

MetaRows& Outputs::meta() { return all_->rows.meta; }

SeedRows& Outputs::seeds() { return all_->rows.seeds; }

CookieRows& Outputs::cookies() { return all_->rows.cookies; }

FeedBook& Outputs::feeds() { return all_->rows.feeds; }

protocols::HostKeys& Outputs::host_keys() { return all_->rows.host_keys.keys(); }

ActionProgressRows& Outputs::action_progress() { return all_->rows.action_progress; }

ModuleListeners& Outputs::modules() { return *all_->modules; }
ArchiveWriters& Outputs::archive() { return all_->archive; }
const dedup::Originals& Outputs::originals() const { return all_->digests; }

// They stage, and hear of visits, in this order. It matters in six places: logs go on in another file before lines
// come, the frontier is asked before statistics are written, what it has dropped is told behind it and before the feeds
// and the logs of outcomes, the undo log names what the log of the seen-set has staged, feeds, statistics and digests look
// at captures that the writers of the archive take away, and these say where captures lie before crawl.log and the logs of
// outcomes tell it.
Result<void> Outputs::add_to(commit::Committer& committer, VisitLedger& ledger, CrawlEvents& events) {
  const auto add = [&]<class Output>(Output& output) -> Result<void> {
    if constexpr (std::derived_from<Output, DispositionListener>) ledger.add(static_cast<DispositionListener&>(output));
    if constexpr (std::derived_from<Output, ScheduleListener>) ledger.add(static_cast<ScheduleListener&>(output));
    if constexpr (std::derived_from<Output, CrawlStateListener>) events.add(output);
    if constexpr (std::derived_from<Output, commit::CommitParticipant>) return committer.add(output);
    return {};
  };
  All& all = *all_;
  TRY_VOID(add(all.logs.rotation));
  if (all.recovery_log) TRY_VOID(add(*all.recovery_log));
  if (all.logs.outlinks) TRY_VOID(add(*all.logs.outlinks));
  TRY_VOID(add(all.logs.error));
  TRY_VOID(add(all.logs.runtime));
  TRY_VOID(add(all.logs.uri_errors));
  TRY_VOID(add(all.logs.alerts));
  TRY_VOID(add(all.logs.job));
  TRY_VOID(add(all.logs.progress));
  TRY_VOID(add(all.pages));
  TRY_VOID(add(all.found_seeds));
  TRY_VOID(add(all.rows.meta));
  TRY_VOID(add(all.rows.seeds));
  TRY_VOID(add(all.rows.cookies));
  TRY_VOID(add(all.rows.host_keys));
  TRY_VOID(add(all.rows.action_progress));
  TRY_VOID(add(all.counted.frontier));
  all.counted.dropped.tell_by(ledger);
  TRY_VOID(add(all.counted.dropped));
  TRY_VOID(add(all.rows.feeds));
  TRY_VOID(add(all.statistics));
  TRY_VOID(add(all.counted.sites));
  TRY_VOID(add(all.counted.series));
  TRY_VOID(add(all.seen));
  TRY_VOID(add(all.undo));
  TRY_VOID(add(all.digests));
  TRY_VOID(add(all.index_journal));
  TRY_VOID(add(*all.modules));
  TRY_VOID(add(all.archive));
  if (all.logs.crawl) TRY_VOID(add(*all.logs.crawl));
  if (all.logs.unqueued) ledger.add(*all.logs.unqueued);
  return add(all.logs.outcomes);
}

}  // namespace caddis::crawl
