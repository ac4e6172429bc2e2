#include "caddis/crawl/commit_path.h"

#include <algorithm>

#include "caddis/archive/writer_spec.h"
#include "caddis/base/strings.h"
#include "caddis/crawl/cookie_rows.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/memory_shares.h"
#include "caddis/crawl/module_listeners.h"
#include "caddis/crawl/provenance.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/crawl/world.h"

namespace caddis::crawl {

CommitPath::CommitPath(const World& world, CrawlState& state, Outputs::Options options, const SeededRandom& random)
    : random(random),
      outputs(state.launch, std::move(options),
              {world.clock, this->random, *state.frontier, state.seen, *state.kv, state.statistics, state.identity,
               state.settings.keys().crawl}),
      committer(world.loop, world.blocking, *state.streams, *state.kv),
      ledger(world.clock, *state.frontier, committer) {}

namespace {

bool packs_by_zstd(const archive::ArchiveSettings& settings) {
  const auto chain = archive::writer_chain(settings.writers);
  return chain && std::ranges::any_of(*chain, [&](const archive::WriterSpec& spec) {
           return spec.writes_records() && spec.packing.value_or(settings.packing) == warc::Packing::zstd;
         });
}

Result<ArchiveWriters::Options> writers_of(const World& world, CrawlState& state) {
  const config::Settings& settings = state.settings.now();
  TRY(const auto serial, state.kv->get(kMeta, kSerialRow));
  ArchiveWriters::Options options{
      .files = {.files = &state.files,
                .collection = state.launch.collection,
                .pid = world.pid,
                .full_host = world.full_hostname,
                .port = world.control_port,
                .next_serial = static_cast<uint64_t>(parse_int(serial.value_or("0")).value_or(0))},
      .form = {settings.archive, provenance_of(settings, state.launch, world)},
      .index_key = state.settings.keys().index,
      .mirror_list = state.launch.mirror_list()};
  if (!packs_by_zstd(settings.archive)) return options;
  options.dictionary = std::make_unique<archive::CrawlDictionary>();
  TRY(auto learned, state.kv->get(kMeta, kDictionaryRow));
  if (learned) TRY_VOID(options.dictionary->load(*std::move(learned)));
  return options;
}

}  // namespace

Result<std::unique_ptr<CommitPath>> CommitPath::open(const World& world, CrawlState& state, const UndoRange& undo,
                                                     const SeededRandom& random) {
  const config::Settings& settings = state.settings.now();
  Outputs::Options options;
  TRY(options.archive, writers_of(world, state));
  options.undo = undo;
  options.digests_in_memory = digests_in_memory(settings);
  options.writes_recovery_log = settings.crawl.recovery_log;
  options.logs = settings.logs;
  options.modules = std::make_unique<ModuleListeners>(settings);
  TRY_VOID(options.modules->restore(*state.kv));
  std::unique_ptr<CommitPath> path(new CommitPath(world, state, std::move(options), random));
  path->outputs.cookies().jar().set_bounds(static_cast<uint64_t>(settings.cookies.total),
                                           memory_shares(settings).cookies);
  TRY_VOID(path->outputs.load(*state.kv));
  TRY_VOID(path->outputs.add_to(path->committer, path->ledger, path->events));
  return path;
}

}  // namespace caddis::crawl
