#include "caddis/crawl/crawl_parts.h"

#include "caddis/base/fetch_status.h"
#include "caddis/crawl/action_directory.h"
#include "caddis/crawl/commit_path.h"
#include "caddis/crawl/cookie_rows.h"
#include "caddis/crawl/crash_recovery.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/feed_watch.h"
#include "caddis/crawl/frontier_log_import.h"
#include "caddis/crawl/frontier_permits.h"
#include "caddis/crawl/index_segments.h"
#include "caddis/crawl/seed_intake.h"
#include "caddis/crawl/world.h"

namespace caddis::crawl {
namespace {

LimitEnforcer::Hooks limit_hooks(frontier::CrawlFrontier& frontier, EventLog& log, const Imports& imports) {
  LimitEnforcer::Hooks hooks;
  hooks.is_empty = [&] {
    return frontier.is_empty() && !(imports.seeds && imports.seeds->is_busy()) && !imports.feeds->keeps_crawl_open();
  };
  hooks.give_up_all = [&frontier](std::string why) {
    frontier.admin().abandon_all(status::kBlockedByRuntimeLimit, std::move(why));
  };
  hooks.report = [&log](std::string_view happened) { log.report(happened); };
  return hooks;
}

}  // namespace

CrawlParts::CrawlParts(const World& world, CrawlState& state, std::unique_ptr<CommitPath> made)
    : lifecycle(world.loop),
      path(std::move(made)),
      log(path->events, path->committer),
      permits(std::make_unique<FrontierPermits>(
          world.loop, state.frontier->permits(), path->committer,
          FrontierPermits::Hooks{[this] { return lifecycle.is_running(); }, [this] { dispatcher.dispatch(); }})),
      lanes(world.loop, lifecycle.changed()),
      load(world.files, state.launch.collection, state.settings, world.use),
      limits(lifecycle, state.settings, state.statistics, limit_hooks(*state.frontier, log, imports)),
      between_groups{SeenTasks(world.loop, world.blocking, state.seen, lifecycle, path->committer),
                     std::make_unique<IndexSegments>(world, state, lifecycle, path->committer)},
      hangs(lanes, lifecycle, path->outputs.meta(), log),
      gate(state, lifecycle, path->committer, lanes, load, limits),
      dispatcher({world.loop, state, lifecycle, path->committer, path->ledger, lanes, load, limits, between_groups.seen,
                  hangs, gate}),
      intake(state, *path),
      checkpointer(world.loop, world.blocking, state, lifecycle, path->committer, path->outputs.cookies().jar(), log) {
  imports.feeds = std::make_unique<FeedWatch>(FeedWatch::Parts{world, state, lifecycle, limits, *path, intake, log});
  load.set_max_visits(state.settings.now().limits.max_visits);
}

CrawlParts::~CrawlParts() = default;

Result<std::unique_ptr<CrawlParts>> CrawlParts::create(const World& world, CrawlState& state,
                                                       const CrashRecovery& recovery, Opening opening,
                                                       std::vector<std::string>& notices) {
  TRY(auto path, CommitPath::open(world, state, recovery.groups(), opening.writer_random));
  std::unique_ptr<CrawlParts> parts(new CrawlParts(world, state, std::move(path)));
  TRY_VOID(parts->lanes.open(
      world, state,
      {opening.lane_random, *parts->permits, parts->path->outputs.originals(), parts->path->outputs.cookies().jar(),
       parts->path->outputs.host_keys(), parts->path->outputs.archive().dictionary(), notices},
      [made = parts.get()](std::vector<visit::VisitResult> results) { made->dispatcher.take(std::move(results)); }));
  TRY_VOID(parts->hangs.load(*state.kv));
  TRY_VOID(parts->between_groups.index->open());
  TRY_VOID(parts->imports.feeds->open());
  parts->wire();
  return parts;
}

// Parts that wait for one another are woken.
void CrawlParts::wire() {
  path->committer.on_change([this] {
    if (path->committer.is_fatal()) lifecycle.changed().notify();
    between_groups.seen.changed().notify();
    between_groups.index->changed().notify();
    if (actions) actions->wake();
    if (imports.seeds) imports.seeds->wake();
    dispatcher.dispatch();
  });
  between_groups.seen.on_step([this] {
    if (actions) actions->wake();
    if (imports.seeds) imports.seeds->wake();
    dispatcher.dispatch();
  });
}

Result<void> CrawlParts::open_actions(const World& world, CrawlState& state) {
  if (state.settings.now().crawl.action_interval == Duration(0)) return {};
  ActionDirectory::Hooks hooks;
  hooks.can_apply = [this] { return !gate.holds().keep_actions(); };
  hooks.on_applied = [this] { dispatcher.dispatch(); };
  hooks.log = [this](std::string_view change) { log.log_operator_action(change); };
  hooks.on_idle = [this] { lifecycle.changed().notify(); };
  actions =
      std::make_unique<ActionDirectory>(ActionDirectory::Parts{world.files, world.loop, world.blocking, path->committer,
                                                               path->outputs.action_progress(), intake},
                                        state.launch.actions(), std::move(hooks));
  return actions->open(*state.kv);
}

Result<void> CrawlParts::open_seed_lists(const World& world, CrawlState& state) {
  SeedIntake::Hooks hooks;
  hooks.can_take = [this] { return !gate.holds().keep_actions(); };
  hooks.gives_up = [this] { return limits.runs_dry(); };
  hooks.on_taken = [this] { dispatcher.dispatch(); };
  TRY(imports.seeds,
      SeedIntake::open({world.loop, world.blocking, state, lifecycle, *path, intake, log}, std::move(hooks)));
  return {};
}

}  // namespace caddis::crawl
