#include "caddis/crawl/outputs.h"

#include <concepts>
#include <optional>
#include <utility>

#include "caddis/collection/launch.h"
#include "caddis/commit/committer.h"
#include "caddis/crawl/action_progress.h"
#include "caddis/crawl/crawl_log.h"
#include "caddis/crawl/crawl_state_listener.h"
#include "caddis/crawl/digest_rows.h"
#include "caddis/crawl/error_log.h"
#include "caddis/crawl/found_seeds.h"
#include "caddis/crawl/frontier_rows.h"
#include "caddis/crawl/index_journal.h"
#include "caddis/crawl/meta_rows.h"
#include "caddis/crawl/module_listeners.h"
#include "caddis/crawl/page_list.h"
#include "caddis/crawl/progress_log.h"
#include "caddis/crawl/recovery_log.h"
#include "caddis/crawl/seed_rows.h"
#include "caddis/crawl/seen_log.h"
#include "caddis/crawl/statistics.h"
#include "caddis/crawl/visit_ledger.h"

namespace caddis::crawl {

struct Outputs::All {
  All(const collection::Launch& launch, Options options, const Sources& sources)
      : statistics(sources.statistics),
        seeds(sources.kv),
        found_seeds(meta, seeds, sources.statistics),
        frontier(sources.frontier, sources.statistics),
        logs{{}, ErrorLog(launch.error_log()), ProgressLog(launch.progress_log(), sources.clock)},
        pages(launch.pages()),
        seen(launch.seen_log(), sources.seen, options.undo.most),
        undo(options.undo),
        digests(sources.kv, options.digests_in_memory),
        index_journal(launch.cdx_journal()),
        modules(std::move(options.modules)),
        archive(std::move(options.archive), sources.clock, sources.random) {
    if (options.logs.crawl_log) logs.crawl.emplace(launch.crawl_log());
    if (options.writes_recovery_log) recovery_log.emplace(launch.recovery_log());
  }

  Statistics& statistics;
  MetaRows meta;
  SeedRows seeds;
  ActionProgressRows action_progress;
  FoundSeeds found_seeds;
  FrontierRows frontier;
  struct Logs {
    std::optional<CrawlLog> crawl;
    ErrorLog error;
    ProgressLog progress;
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

MetaRows& Outputs::meta() { return all_->meta; }

SeedRows& Outputs::seeds() { return all_->seeds; }

ActionProgressRows& Outputs::action_progress() { return all_->action_progress; }

ModuleListeners& Outputs::modules() { return *all_->modules; }
ArchiveWriters& Outputs::archive() { return all_->archive; }
const dedup::Originals& Outputs::originals() const { return all_->digests; }

// They stage, and hear of visits, in this order. It matters in three places: the frontier is asked before statistics
// are written, the undo log names what the log of the seen-set has staged, and statistics and digests look at captures
// that the writers of the archive take away.
Result<void> Outputs::add_to(commit::Committer& committer, VisitLedger& ledger, CrawlEvents& events) {
  const auto add = [&]<class Output>(Output& output) -> Result<void> {
    if constexpr (std::derived_from<Output, DispositionListener>) ledger.add(static_cast<DispositionListener&>(output));
    if constexpr (std::derived_from<Output, ScheduleListener>) ledger.add(static_cast<ScheduleListener&>(output));
    if constexpr (std::derived_from<Output, CrawlStateListener>) events.add(output);
    if constexpr (std::derived_from<Output, commit::CommitParticipant>) return committer.add(output);
    return {};
  };
  All& all = *all_;
  if (all.recovery_log) TRY_VOID(add(*all.recovery_log));
  if (all.logs.crawl) TRY_VOID(add(*all.logs.crawl));
  TRY_VOID(add(all.logs.error));
  TRY_VOID(add(all.logs.progress));
  TRY_VOID(add(all.pages));
  TRY_VOID(add(all.found_seeds));
  TRY_VOID(add(all.meta));
  TRY_VOID(add(all.seeds));
  TRY_VOID(add(all.action_progress));
  TRY_VOID(add(all.frontier));
  TRY_VOID(add(all.statistics));
  TRY_VOID(add(all.seen));
  TRY_VOID(add(all.undo));
  TRY_VOID(add(all.digests));
  TRY_VOID(add(all.index_journal));
  TRY_VOID(add(*all.modules));
  return add(all.archive);
}

}  // namespace caddis::crawl
