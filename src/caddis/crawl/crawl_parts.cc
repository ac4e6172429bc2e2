#include "caddis/crawl/crawl_parts.h"

#include "caddis/base/strings.h"
#include "caddis/crawl/action_directory.h"
#include "caddis/crawl/committer.h"
#include "caddis/crawl/crash_recovery.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/frontier_log_import.h"
#include "caddis/crawl/provenance.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/crawl/world.h"
#include "caddis/fetch/status.h"

namespace caddis::crawl {
namespace {

std::unique_ptr<Committer> make_committer(const World& world, CrawlState& state, Random& random,
                                          const GroupWriter::Recorded& groups, uint64_t next_serial) {
  const config::Settings& settings = state.settings.now();
  auto writer = std::make_unique<GroupWriter>(
      *state.streams, *state.kv, state.launch, settings.archive, provenance_of(settings, state.launch, world.hostname),
      GroupWriter::Names{world.pid, world.hostname}, world.clock, random, next_serial, groups);
  auto committer = std::make_unique<Committer>(world.loop, world.blocking, *state.frontier, state.statistics,
                                               state.seen, std::move(writer));
  if (settings.crawl.recovery_log) committer->write_recovery_log();
  return committer;
}

LimitEnforcer::Hooks limit_hooks(frontier::Frontier& frontier, EventLog& log) {
  LimitEnforcer::Hooks hooks;
  hooks.is_empty = [&frontier] { return frontier.is_empty(); };
  hooks.give_up_all = [&frontier](std::string why) {
    frontier.give_up_all(fetch::status::kBlockedByRuntimeLimit, std::move(why));
  };
  hooks.report = [&log](std::string_view happened) { log.report(happened); };
  return hooks;
}

}  // namespace

CrawlParts::CrawlParts(const World& world, CrawlState& state, const CrashRecovery& recovery, const Opening& opening,
                       uint64_t next_serial)
    : lifecycle(world.loop),
      writer_random(opening.writer_random),
      committer(make_committer(world, state, writer_random, recovery.groups(), next_serial)),
      log(world.clock, *committer),
      lanes(world.loop, lifecycle.changed()),
      load(world.files, state.launch.collection, state.settings, world.use),
      limits(lifecycle, state.settings, state.statistics, limit_hooks(*state.frontier, log)),
      seen_tasks(world.loop, world.blocking, state.seen, lifecycle, *committer),
      hangs(lanes, lifecycle, *committer, log),
      gate(state, lifecycle, *committer, lanes, load, limits),
      dispatcher({world.loop, state, lifecycle, *committer, lanes, load, limits, seen_tasks, hangs, gate}),
      intake(state, *committer, opening.is_new),
      checkpointer(world.loop, world.blocking, state, lifecycle, *committer, log) {
  load.set_max_visits(state.settings.now().limits.max_visits);
}

CrawlParts::~CrawlParts() = default;

Result<std::unique_ptr<CrawlParts>> CrawlParts::create(const World& world, CrawlState& state,
                                                       const CrashRecovery& recovery, Opening opening) {
  TRY(const auto serial, state.kv->get(kMeta, kSerialRow));
  const auto next_serial = static_cast<uint64_t>(parse_int(serial.value_or("0")).value_or(0));
  std::unique_ptr<CrawlParts> parts(new CrawlParts(world, state, recovery, opening, next_serial));
  TRY_VOID(parts->lanes.open(world, state, opening.lane_random,
                             [made = parts.get()](VisitResult result) { made->dispatcher.take(std::move(result)); }));
  TRY_VOID(parts->hangs.load(*state.kv));
  parts->wire();
  return parts;
}

// Parts that wait for one another are woken.
void CrawlParts::wire() {
  committer->on_change([this] {
    if (committer->is_fatal()) lifecycle.changed().notify();
    seen_tasks.changed().notify();
    if (actions) actions->wake();
    dispatcher.dispatch();
  });
  seen_tasks.on_step([this] {
    if (actions) actions->wake();
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
  actions = std::make_unique<ActionDirectory>(
      ActionDirectory::Parts{world.files, world.loop, world.blocking, *committer, intake}, state.launch.actions(),
      std::move(hooks));
  return actions->open(*state.kv);
}

}  // namespace caddis::crawl
