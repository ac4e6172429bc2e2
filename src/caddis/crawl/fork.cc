#include "caddis/crawl/fork.h"

#include <fmt/format.h>

#include <utility>

#include "caddis/base/strings.h"
#include "caddis/collection/folders.h"
#include "caddis/collection/launch.h"
#include "caddis/crawl/seed_intake.h"
#include "caddis/crawl/state_format.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/store/seen_state.h"
#include "caddis/store/streams.h"

namespace caddis::crawl {
namespace {

Result<ForkSource> latest_of(io::Files& files, const collection::Launch& launch) {
  TRY(Checkpoint checkpoint, find_checkpoint(files, launch, "latest"));
  return ForkSource{checkpoint_folder(launch, checkpoint.name), std::move(checkpoint)};
}

Result<ForkSource> find(io::Files& files, const std::string& path) {
  if (files.exists(path + "/manifest")) {
    TRY(const std::string text, files.read_all(path + "/manifest"));
    auto checkpoint = parse_manifest(text);
    if (!checkpoint) return pass(std::move(checkpoint).error(), path);
    return ForkSource{path, *std::move(checkpoint)};
  }
  if (files.is_directory(path + "/state/checkpoints")) {
    const std::string collection = io::parent_path(io::parent_path(path));
    return latest_of(files, {collection, std::string(io::base_name(path))});
  }
  TRY(const auto launch, collection::latest_launch(files, path));
  if (launch) return latest_of(files, *launch);
  return fail(ErrorCode::not_found,
              fmt::format("{} is no checkpoint, and no crawl or collection that has one: checkpoints lie in "
                          "COLLECTION/crawls/LAUNCH/state/checkpoints/",
                          path));
}

// Erases the rows that were the other launch's own.
Result<void> forget(store::Kv& kv) {
  // There may be millions of seeds.
  constexpr size_t kAtOnce = 10'000;
  store::Batch batch;
  const auto erase = [&](store::Family family, std::string_view key) -> Result<void> {
    batch.erase(family, key);
    if (batch.size() < kAtOnce) return {};
    return kv.write(std::exchange(batch, {}), store::Durability::lazy);
  };
  for (const store::Family family : {kStreams, kStatistics, kDigests}) {
    const auto rows = kv.cursor(family);
    for (rows->seek(""); rows->valid(); rows->next()) TRY_VOID(erase(family, rows->key()));
    TRY_VOID(rows->status());
  }
  for (const std::string_view own : {kBegunRow, kGroupRow, kLossRow, kLostCapturesRow, kActionRow, kHungRow, kModuleRow,
                                     kDigestsForgottenRow, kWriterFailedRow}) {
    const auto rows = kv.cursor(kMeta);
    for (rows->seek(own); rows->valid() && rows->key().starts_with(own); rows->next())
      TRY_VOID(erase(kMeta, rows->key()));
    TRY_VOID(rows->status());
  }
  batch.erase(kMeta, std::string(kSerialRow));
  return kv.write(batch, store::Durability::synced);
}

// The lists of seeds that the other crawl had not read whole: this one goes on with them. Returns those that lie with it
// no more.
Result<std::vector<std::string>> take_over_seed_lists(io::Files& files, store::Kv& kv, const ForkSource& source,
                                                      const collection::Launch& launch) {
  std::vector<std::string> missing;
  store::Batch batch;
  const auto rows = kv.cursor(kMeta);
  for (rows->seek(kSeedListRow); rows->valid() && rows->key().starts_with(kSeedListRow); rows->next()) {
    const std::string file(rows->key().substr(kSeedListRow.size()));
    TRY(const SeedListProgress progress, read_seed_list_progress(rows->value()));
    const std::string path = io::join_path(source.seed_lists(), file);
    if (!progress.done && files.exists(path)) {
      TRY_VOID(files.make_dirs(launch.seed_lists()));
      TRY_VOID(collection::clone_file(files, path, io::join_path(launch.seed_lists(), file), true));
      TRY_VOID(files.sync_dir(launch.seed_lists()));
      continue;
    }
    if (!progress.done) missing.push_back(file);
    batch.erase(kMeta, rows->key());
  }
  TRY_VOID(rows->status());
  TRY_VOID(kv.write(batch, store::Durability::synced));
  return missing;
}

// The log of the new launch begins where that of the other one does now: what it let go is not counted any more. Former
// states are those of the other launch.
Result<void> renumber_seen_rows(store::Kv& kv, store::Batch& batch) {
  TRY(const auto row, kv.get(kMeta, kSeenRunsRow));
  if (!row) return {};
  TRY(auto states, store::decode_seen_states(*row));
  TRY(const auto log, store::committed_parts(kv, kStreams, kSeenStream));
  const uint64_t released = log.released / sizeof(uint64_t);
  if (states.front().rows < released)
    return fail(ErrorCode::corrupt, "the runs of its seen-set lack rows that its log has no more");
  states.front().rows -= released;
  states.resize(1);
  batch.put(kMeta, std::string(kSeenRunsRow), store::encode_seen_states(states));
  return {};
}

}  // namespace

Result<ForkSource> find_fork_source(io::Files& files, const std::string& path) {
  TRY(ForkSource source, find(files, path));
  TRY_VOID(check_format(source.checkpoint.format, source.folder));
  return source;
}

Result<Fork> fork_state(io::Files& files, const store::KvOpener& open_kv, const ForkSource& source,
                        const collection::Launch& launch) {
  for (const char* name : {"/db", "/seen-runs"})
    TRY_VOID(collection::clone_folder(files, source.folder + name, launch.state() + name));
  TRY_VOID(files.sync_dir(launch.state()));
  TRY(auto kv, open_kv(launch.store(), family_names()));
  TRY(const auto serial, kv->get(kMeta, kSerialRow));
  store::Batch renumbered;
  TRY_VOID(renumber_seen_rows(*kv, renumbered));
  TRY_VOID(kv->write(renumbered, store::Durability::synced));
  TRY_VOID(forget(*kv));
  TRY(auto unread_lists, take_over_seed_lists(files, *kv, source, launch));
  // The fingerprint log becomes a stream of this launch, in one piece.
  TRY(const auto streams, store::StreamSet::open(files, *kv, kStreams, launch.orphans(), launch.collection));
  TRY_VOID(streams->open_stream(kSeenStream, launch.seen_log()));
  for (const Checkpoint::Log& part : source.checkpoint.seen_parts) {
    const auto append = [&](std::string_view piece) -> Result<void> {
      TRY_VOID(streams->append(kSeenStream, piece));
      return {};
    };
    TRY_VOID(collection::read_pieces(files, source.folder + "/seen/" + part.file, part.length, append));
  }
  TRY_VOID(streams->sync());
  store::Batch batch;
  streams->stage_lengths(batch);
  TRY_VOID(kv->write(batch, store::Durability::synced));
  TRY_VOID(streams->committed());
  return Fork{std::move(kv), static_cast<uint64_t>(parse_int(serial.value_or("0")).value_or(0)),
              std::move(unread_lists)};
}

}  // namespace caddis::crawl
