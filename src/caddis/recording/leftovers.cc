// A recording that has a state has not ended. Its streams are brought in line with its store, as those of any crawl
// are after a death; the archive file that it was writing gets its name; then it is left as one that has ended.

#include "caddis/recording/leftovers.h"

#include <fmt/format.h>

#include "caddis/base/counted.h"
#include "caddis/cdx/index_meta.h"
#include "caddis/cdx/journal.h"
#include "caddis/cdx/journal_segments.h"
#include "caddis/collection/folders.h"
#include "caddis/collection/page_list.h"
#include "caddis/recording/store_layout.h"
#include "caddis/store/streams.h"
#include "caddis/warcstore/recovery.h"

namespace caddis::recording {
namespace {

// Behind the state, which goes.
std::string orphans_of(const collection::Launch& launch) { return launch.folder() + "/orphans"; }

// The state while it is removed.
std::string ended_state(const collection::Launch& launch) { return launch.folder() + "/ended"; }

// Closes the archive file that it was writing.
Result<void> close_files(store::Kv& kv, store::StreamSet& streams) {
  if (!streams.has_open(kWarcStream)) return {};
  TRY_VOID(streams.close_stream(kWarcStream));
  TRY_VOID(streams.sync());
  store::Batch batch;
  streams.stage_lengths(batch);
  TRY_VOID(kv.write(batch, store::Durability::synced));
  return streams.committed();
}

Result<void> recover(io::Files& files, store::Kv& kv, const collection::Launch& launch,
                     std::vector<std::string>& notices) {
  TRY(const auto streams, store::StreamSet::open(files, kv, kStreams, orphans_of(launch), launch.collection));
  TRY(const store::StreamPlan plan, warcstore::inspect_streams(files, kv, *streams, launch));
  if (plan.needs_repair())
    return fail(ErrorCode::corrupt, fmt::format("{} is shorter than it was when it was safe: put it back as it was, or "
                                                "index what there is of it with 'caddis index add'",
                                                plan.shorter.front().path));
  TRY_VOID(streams->apply(plan));
  TRY_VOID(warcstore::settle_begun_files(kv));
  for (const store::StreamPlan::Cut& cut : plan.cuts)
    notices.push_back(fmt::format("{}: {} of the end, which were never complete, moved to {}", cut.path,
                                  counted(cut.found - cut.committed, "byte"), cut.saved_as));
  for (const store::StreamPlan::Move& orphan : plan.orphans)
    notices.push_back(fmt::format("a file that was begun, and has nothing complete, was moved to {}", orphan.to));
  return close_files(kv, *streams);
}

Result<void> end_dead(io::Files& files, const store::KvOpener& open_kv, const collection::Launch& launch,
                      std::vector<std::string>& notices) {
  const cdx::IndexMeta meta = cdx::read_index_meta(files, launch.cdx_journal());
  if (!meta.policy) return fail(ErrorCode::unsupported, meta.problem);
  {
    TRY(const auto kv, open_kv(launch.store(), family_names()));
    TRY(const auto format, kv->get(kMeta, kFormatRow));
    // Without a row it died before there was anything.
    if (format && *format != kFormat)
      return fail(ErrorCode::unsupported,
                  fmt::format("its state has the form '{}', and this version knows '{}'", *format, kFormat));
    if (format) TRY_VOID(recover(files, *kv, launch, notices));
  }
  return leave_index(files, launch, *meta.policy);
}

}  // namespace

std::string note_of(const collection::Launch& launch) { return launch.folder() + "/recording.json"; }

Result<void> leave_index(io::Files& files, const collection::Launch& launch, const url::KeyPolicy& index_key) {
  const std::string journal = launch.cdx_journal();
  TRY(const store::LogParts parts, cdx::journal_parts(files, journal));
  std::vector<uint64_t> sizes;
  uint64_t bytes = 0;
  for (const auto& [path, size] : parts.parts) {
    sizes.push_back(size);
    bytes += size;
  }
  if (bytes > 0) {
    TRY_VOID(cdx::sort_journal(files, parts, launch.index()));
    TRY_VOID(cdx::write_index_meta(files, launch.index(), index_key, sizes));
  }
  TRY_VOID(collection::rebuild_page_list(files, launch.collection));
  // The index is there, and nobody needs the state any more. A death must not leave half of it under its name.
  const std::string ended = ended_state(launch);
  collection::remove_tree(files, ended);
  TRY_VOID(collection::move_path(files, launch.state(), ended));
  collection::remove_tree(files, ended);
  return files.sync_dir(launch.folder());
}

Result<void> end_dead_recordings(io::Files& files, const store::KvOpener& open_kv, const std::string& collection,
                                 std::vector<std::string>& notices) {
  TRY(const auto launches, collection::launch_folders(files, collection::Layout(collection)));
  for (const collection::Launch& launch : launches) {
    if (!files.exists(note_of(launch))) continue;
    if (!files.is_directory(launch.state())) {
      // It had ended, and died while its state was removed.
      collection::remove_tree(files, ended_state(launch));
      continue;
    }
    notices.push_back(fmt::format("{} did not come to its end: what was complete of it is kept", launch.name));
    if (auto ended = end_dead(files, open_kv, launch, notices); !ended)
      notices.push_back(fmt::format("{} is left as it is: {}", launch.folder(), ended.error().message));
  }
  return {};
}

}  // namespace caddis::recording
