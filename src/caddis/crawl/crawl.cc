#include "caddis/crawl/crawl.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/aio/blocking.h"
#include "caddis/base/counted.h"
#include "caddis/base/fetch_status.h"
#include "caddis/base/log.h"
#include "caddis/collection/end_note.h"
#include "caddis/crawl/action_directory.h"
#include "caddis/crawl/commit_path.h"
#include "caddis/crawl/completion.h"
#include "caddis/crawl/cookie_files.h"
#include "caddis/crawl/cookie_rows.h"
#include "caddis/crawl/crawl_parts.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/crawl_status.h"
#include "caddis/crawl/feed_watch.h"
#include "caddis/crawl/frontier_log_import.h"
#include "caddis/crawl/index_segments.h"
#include "caddis/crawl/module_listeners.h"
#include "caddis/crawl/module_watch.h"
#include "caddis/crawl/operator.h"
#include "caddis/crawl/progress_line.h"
#include "caddis/crawl/report_desk.h"
#include "caddis/crawl/results.h"
#include "caddis/crawl/scope_review.h"
#include "caddis/crawl/seed_intake.h"
#include "caddis/crawl/settings_updater.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/crawl/world.h"
#include "caddis/store/streams.h"

namespace caddis::crawl {
namespace {

constexpr Duration kTick = LoadGovernor::kTick;

}  // namespace

Crawl::Crawl(std::unique_ptr<World> world, std::unique_ptr<CrawlState> state, std::unique_ptr<CrawlParts> parts,
             std::vector<std::string> notices)
    : world_(std::move(world)),
      state_(std::move(state)),
      parts_(std::move(parts)),
      completion_(std::make_unique<Completion>(
          Completion::Parts{*state_, parts_->lifecycle, parts_->path->committer, parts_->lanes, parts_->limits,
                            parts_->gate, parts_->actions, parts_->imports.seeds, *parts_->imports.feeds})),
      review_(std::make_unique<ScopeReview>(*world_, *state_, *parts_)),
      reporter_(std::make_unique<StatusReporter>(StatusReporter::Parts{
          world_->clock, *state_, parts_->lifecycle, parts_->path->committer, parts_->lanes, parts_->load,
          parts_->limits, parts_->gate, *completion_, *review_, *parts_->imports.feeds})),
      updater_(std::make_unique<SettingsUpdater>(*world_, *state_, *parts_)),
      reports_(std::make_unique<ReportDesk>(*world_, *state_, *parts_, *reporter_)),
      operations_(std::make_unique<Operator>(world_->hostname, world_->loop, *state_, *parts_, *reporter_, *updater_,
                                             *reports_)),
      modules_(
          std::make_unique<ModuleWatch>(world_->loop, world_->blocking, parts_->log, state_->settings.now().modules)),
      notices_(std::move(notices)) {}

Crawl::~Crawl() = default;

std::unique_ptr<CrawlState> Crawl::take_apart(std::unique_ptr<Crawl> crawl) {
  crawl->modules_.reset();
  crawl->operations_.reset();
  crawl->reports_.reset();
  crawl->updater_.reset();
  crawl->reporter_.reset();
  crawl->review_.reset();
  crawl->completion_.reset();
  crawl->parts_.reset();
  return std::move(crawl->state_);
}

CrawlStatus Crawl::status() const { return reporter_->status(); }

fetch::AddressPolicy& Crawl::addresses() { return state_->addresses; }

bool Crawl::has_left_lanes() const { return parts_->lanes.has_left_any(); }

bool Crawl::has_left(size_t lane) const { return parts_->lanes.has_left(lane); }

// --- watching

void Crawl::tick() {
  const SteadyTime now = world_->clock.steady();
  if (!parts_->lifecycle.is_paused()) parts_->path->events.tell_running_time(now - tick_.last);
  parts_->load.observe(now - tick_.last - kTick, parts_->path->committer.backlog(), parts_->lanes.size());
  parts_->lanes.set_processors_idle(parts_->load.has_idle_processors());
  tick_.last = now;
  reporter_->tick();
  updater_->tick();
  parts_->load.check_disk();
  if (parts_->hangs.look(now, completion_->only_held_visits_left())) parts_->lifecycle.changed().notify();
  observe_limits(now);
  for (const std::string& notice : state_->frontier->admin().take_notices())
    parts_->log.tell(CrawlEvent::Source::pattern, notice);
  modules_->report();
  if (modules_->is_due()) nursery_.spawn(modules_->reread());
  if (parts_->actions) parts_->actions->wake();
  if (parts_->imports.seeds) parts_->imports.seeds->wake();
  parts_->imports.feeds->tick();
  const uint64_t ticks_a_line = std::max<uint64_t>(1, state_->settings.now().crawl.progress_interval / kTick);
  if (++tick_.count % ticks_a_line == 0) tell_progress();
  if (parts_->checkpointer.is_due()) nursery_.spawn(parts_->checkpointer.take_due());
  if (updater_->is_reread_due()) nursery_.spawn(updater_->reread());
  if (review_->is_due()) nursery_.spawn(review_->run());
  if (reports_->take_asked()) nursery_.spawn(write_reports());
  if (calls_.tick) calls_.tick(status());
  parts_->dispatcher.dispatch();
  tick_.timer = world_->loop.at(now + kTick, [this] { tick(); });
}

void Crawl::observe_limits(SteadyTime now) {
  parts_->limits.observe(now, !parts_->gate.holds().stop_clocks(), parts_->lanes.received(),
                         parts_->dispatcher.visits_begun(), parts_->lanes.visiting());
  parts_->limits.check();
}

// --- the run

void Crawl::tell_progress() { parts_->path->events.tell_progress(reporter_->progress_line()); }

void Crawl::tell_state(std::string_view words) { parts_->path->events.tell(CrawlEvent::Source::state, words); }

// In Heritrix's words, which other programs look for.
void Crawl::tell_change(RunState state) {
  if (state == RunState::running) tell_state("RUNNING - Running");
  if (state == RunState::stopping) tell_state(fmt::format("ENDING - {}", end_words(parts_->lifecycle.end())));
  if (state != RunState::paused) return;
  tell_progress();
  tell_state("PAUSED - Paused");
}

void Crawl::begin() {
  parts_->lifecycle.on_change([this](RunState state) { tell_change(state); });
  parts_->path->events.tell_progress(kProgressHeader);
  tell_change(RunState::running);
  tick_.last = world_->clock.steady();
  parts_->checkpointer.begin();
  retract_results(*state_);
  nursery_.spawn(parts_->path->committer.run());
  nursery_.spawn(parts_->between_groups.seen.run());
  nursery_.spawn(parts_->between_groups.index->run());
  if (parts_->imports.log)
    nursery_.spawn(import_frontier_log());
  else if (parts_->imports.seeds)
    nursery_.spawn(take_seed_lists());
  tick_.timer = world_->loop.at(tick_.last + kTick, [this] { tick(); });
  parts_->load.check_disk();
  observe_limits(tick_.last);
  parts_->dispatcher.dispatch();
  if (parts_->actions) {
    parts_->actions->on_reports([this] { return reports_->write_and_tell(); });
    parts_->actions->on_scripts(operations_->scripts().file_runner());
  }
  nursery_.spawn(parts_->imports.feeds->follow_database());
  if (parts_->actions) nursery_.spawn(parts_->actions->run(state_->settings.now().crawl.action_interval));
}

// A signal asked for them.
aio::Task<void> Crawl::write_reports() {
  const std::string told = co_await reports_->write_and_tell();
  if (!parts_->lifecycle.has_ended()) parts_->log.tell(CrawlEvent::Source::operated, told);
}

aio::Task<void> Crawl::import_frontier_log() {
  std::function<void(const std::string&)> tell = [this](const std::string& notice) {
    if (calls_.notice) calls_.notice(notice);
  };
  if (!co_await parts_->imports.log->run(std::move(tell))) co_return;
  parts_->lifecycle.set_importing(false);
  // They come after it: they may be among what is finished.
  if (auto injected = parts_->intake.inject_seeds(); !injected) parts_->path->committer.fail(injected.error());
  if (parts_->imports.seeds) nursery_.spawn(take_seed_lists());
  parts_->limits.check();
  parts_->dispatcher.dispatch();
  parts_->lifecycle.changed().notify();
}

aio::Task<void> Crawl::take_seed_lists() {
  std::function<void(const std::string&)> tell = [this](const std::string& notice) {
    if (calls_.notice) calls_.notice(notice);
  };
  co_await parts_->imports.seeds->run(std::move(tell));
  parts_->limits.check();
  parts_->lifecycle.changed().notify();
}

aio::Task<void> Crawl::wait_until_over() {
  Lifecycle& lifecycle = parts_->lifecycle;
  std::optional<aio::Loop::TimerId> grace;
  while (!completion_->is_over() || completion_->looks_once_more()) {
    if (lifecycle.is_ending() && !grace) {
      // Visits in flight get a moment to end by themselves; then their connections are closed.
      grace = world_->loop.at(world_->clock.steady() + state_->settings.now().crawl.stop_grace, [this] {
        parts_->lanes.abort();
        completion_->give_up_held_visits();
        parts_->lifecycle.changed().notify();
      });
    }
    co_await lifecycle.changed().wait();
  }
  if (parts_->actions) parts_->actions->close();
  parts_->imports.feeds->close();
  if (parts_->path->committer.is_fatal()) parts_->lanes.abort();
  co_await parts_->lanes.drain();
  if (grace) world_->loop.cancel(*grace);
  world_->loop.cancel(tick_.timer);
  parts_->dispatcher.close();
}

aio::Task<CrawlEnd> Crawl::run() {
  begin();
  co_await wait_until_over();
  parts_->path->events.tell_running_time(world_->clock.steady() - tick_.last);
  CrawlEnd end{parts_->lifecycle.end().reason, end_text(), parts_->lifecycle.end().limit};
  log_info("crawl", "ended: {}; {} documents", end.text, state_->statistics.documents());
  modules_->report();
  tell_progress();
  tell_state(fmt::format("ENDED - {}", end_words(end)));
  parts_->path->committer.close();
  parts_->lifecycle.finish();
  parts_->between_groups.seen.changed().notify();
  parts_->between_groups.index->changed().notify();
  if (parts_->imports.seeds) parts_->imports.seeds->wake();
  // Reports that are being made, or wait for their turn, are in the nursery, too.
  co_await reports_->close();
  co_await nursery_.join();
  co_await write_end(end);
  co_return end;
}

Result<void> Crawl::write_results(const CrawlEnd& end, const std::vector<ModuleReport>& of_modules) {
  if (parts_->path->committer.committed_everything()) {
    TRY(seeds_, crawl::write_results(*state_, end, parts_->lanes.totals(), of_modules, world_->clock.wall()));
    return {};
  }
  // As far as it is committed. If that cannot be written either, what was wrong is told all the same.
  const CrawlEnd failed{EndReason::failed, parts_->path->committer.trouble()};
  if (auto seeds = write_end_reports(*state_, failed, parts_->lanes.totals(), world_->clock.wall()))
    seeds_ = *std::move(seeds);
  else
    (void)each_seed_fate(*state_->kv, kStatistics, [this](std::string_view url, const SeedFate& fate) -> Result<void> {
      seeds_.count(url, fate);
      return {};
    });
  return fail(ErrorCode::io, parts_->path->committer.trouble());
}

// All that the crawl has found is committed, or cannot be.
aio::Task<void> Crawl::write_end(CrawlEnd& end) {
  Result<void> written;
  const std::vector<ModuleReport> reports = parts_->path->outputs.modules().reports();
  modules_->report();
  std::function<void()> work = [&] {
    // A few seconds' work. Before the reports, which name the files of the launch.
    constexpr uint64_t kPacked = 256 << 20;
    if (parts_->path->committer.committed_everything()) state_->streams->packing().finish(kPacked);
    written = write_results(end, reports);
    const auto saved =
        save_cookie_files(state_->files, parts_->path->outputs.cookies().jar(), state_->settings.now().cookies);
    if (!saved) log_warn("crawl", "{}", saved.error().message);
  };
  co_await world_->blocking.run(world_->loop, std::move(work));
  if (!written) end = {EndReason::failed, written.error().message};
  if (parts_->path->committer.committed_everything()) co_await parts_->checkpointer.take_last();
  if (!written) collection::note_end(state_->files, state_->launch, end.text);
}

std::string Crawl::end_text() const {
  const CrawlEnd& end = parts_->lifecycle.end();
  const frontier::Stats stats = state_->frontier->stats();
  std::string text = end.text;
  if (end.reason == EndReason::limit && parts_->limits.runs_dry()) {
    const auto blocked = state_->statistics.statuses().find(status::kBlockedByRuntimeLimit);
    const uint64_t urls = blocked == state_->statistics.statuses().end() ? 0 : blocked->second.urls;
    text += fmt::format("; {} given up", counted(urls, "URL was", "URLs were"));
  } else if (text.empty()) {
    text = "finished";
    if (stats.queued_over > 0)
      text += fmt::format("; {}, since quotas are used up", counted(stats.queued_over, "URL waits", "URLs wait"));
    if (const uint64_t retired = stats.queued_retired_by_order(); retired > 0)
      text += fmt::format("; {}, retired by the operator or by frontier.retire",
                          counted(retired, "URL waits", "URLs wait"));
  }
  if (parts_->lanes.has_left_any())
    for (const StandingLane& lane : parts_->lanes.standing(world_->clock.steady()))
      text += "; left behind: " + describe(lane);
  return text;
}

}  // namespace caddis::crawl
