#include "caddis/crawl/commit_path.h"

#include "caddis/base/strings.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/module_listeners.h"
#include "caddis/crawl/provenance.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/crawl/world.h"

namespace caddis::crawl {

CommitPath::CommitPath(const World& world, CrawlState& state, Outputs::Options options, const SeededRandom& random)
    : random(random),
      outputs(state.launch, std::move(options),
              {world.clock, this->random, *state.frontier, state.seen, *state.kv, state.statistics}),
      committer(world.loop, world.blocking, *state.streams, *state.kv),
      ledger(world.clock, *state.frontier, committer) {}

Result<std::unique_ptr<CommitPath>> CommitPath::open(const World& world, CrawlState& state, const UndoRange& undo,
                                                     const SeededRandom& random) {
  const config::Settings& settings = state.settings.now();
  Outputs::Options options;
  options.warc.folder = state.launch.archive();
  options.warc.settings = settings.archive;
  options.warc.provenance = provenance_of(settings, state.launch, world);
  options.warc.index_key = state.settings.keys().index;
  options.warc.pid = world.pid;
  options.warc.port = world.control_port;
  TRY(const auto serial, state.kv->get(kMeta, kSerialRow));
  options.warc.next_serial = static_cast<uint64_t>(parse_int(serial.value_or("0")).value_or(0));
  options.undo = undo;
  options.writes_recovery_log = settings.crawl.recovery_log;
  options.modules = std::make_unique<ModuleListeners>(settings);
  TRY_VOID(options.modules->restore(*state.kv));
  std::unique_ptr<CommitPath> path(new CommitPath(world, state, std::move(options), random));
  TRY_VOID(path->outputs.add_to(path->committer, path->ledger, path->events));
  return path;
}

}  // namespace caddis::crawl
