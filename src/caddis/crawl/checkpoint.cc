#include "caddis/crawl/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/collection/folders.h"
#include "caddis/collection/launch.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/store/seen_run.h"
#include "caddis/store/seen_state.h"

namespace caddis::crawl {
namespace {

constexpr std::string_view kUnfinished = ".tmp";
constexpr uint64_t kMostManifest = 1 << 20;

std::string home(const collection::Launch& launch) { return launch.checkpoints(); }

}  // namespace

bool is_checkpoint_name(std::string_view name) {
  constexpr size_t kLongest = 64;
  return !name.empty() && name.size() <= kLongest && name.front() != '.' && name != "latest" &&
         !name.ends_with(kUnfinished) &&
         std::ranges::all_of(name, [](char c) { return is_alnum(c) || c == '.' || c == '_' || c == '-'; });
}

std::string automatic_name(uint64_t number, WallTime now) {
  return fmt::format("cp{:05}-{}", number, timestamp14(now));
}

std::string checkpoint_folder(const collection::Launch& launch, std::string_view name) {
  return io::join_path(home(launch), name);
}

Result<Checkpoints> list_checkpoints(io::Files& files, const collection::Launch& launch) {
  Checkpoints found;
  if (!files.is_directory(home(launch))) return found;
  TRY(const auto entries, files.list(home(launch)));
  for (const io::DirectoryEntry& entry : entries) {
    if (!entry.is_directory) continue;
    if (entry.name.ends_with(kUnfinished)) {
      found.incomplete.push_back(entry.name);
      continue;
    }
    const std::string path = checkpoint_folder(launch, entry.name) + "/manifest";
    auto text = files.read_all(path, kMostManifest);
    auto checkpoint = text ? parse_manifest(*text) : Result<Checkpoint>(std::unexpected(text.error()));
    if (!checkpoint) {
      found.damaged.push_back(fmt::format("{}: {}", path, checkpoint.error().message));
      continue;
    }
    checkpoint->name = entry.name;  // a folder may be given another name
    found.complete.push_back(*std::move(checkpoint));
  }
  std::ranges::sort(found.complete, {}, [](const Checkpoint& one) { return std::pair(one.number, one.name); });
  return found;
}

Result<Checkpoint> find_checkpoint(io::Files& files, const collection::Launch& launch, std::string_view name) {
  TRY(const Checkpoints found, list_checkpoints(files, launch));
  if (found.complete.empty())
    return fail(ErrorCode::not_found,
                fmt::format("{} has no checkpoint{}", launch.folder(),
                            found.damaged.empty() ? "" : " that can be read: " + found.damaged.front()));
  if (name == "latest") return found.complete.back();
  const auto same = std::ranges::find(found.complete, name, &Checkpoint::name);
  if (same != found.complete.end()) return *same;
  std::string names;
  for (const Checkpoint& one : found.complete) names += (names.empty() ? "" : ", ") + one.name;
  return fail(ErrorCode::not_found,
              fmt::format("{} has no checkpoint '{}'; there are: {}", launch.folder(), name, names));
}

Result<void> write_checkpoint(io::Files& files, store::Kv& kv, const collection::Launch& launch,
                              const Checkpoint& checkpoint) {
  const std::string folder = checkpoint_folder(launch, checkpoint.name);
  if (files.exists(folder))
    return fail(ErrorCode::conflict, fmt::format("there is a checkpoint '{}' already", checkpoint.name));
  const std::string begun = folder + std::string(kUnfinished);
  collection::remove_tree(files, begun);
  const std::string runs = begun + "/seen-runs", seen = begun + "/seen";
  for (const std::string& made : {begun, runs, seen}) TRY_VOID(files.make_dirs(made));
  TRY_VOID(kv.checkpoint(begun + "/db"));
  TRY(const auto row, kv.get(kMeta, kSeenRunsRow));
  if (row) {
    TRY(const auto states, store::decode_seen_states(*row));
    for (const store::SeenState::Run& run : states.front().runs) {
      const std::string path = store::seen_run_path(launch.seen_runs(), run.number);
      TRY_VOID(collection::clone_file(files, path, store::seen_run_path(runs, run.number), true));
    }
  }
  for (const Checkpoint::Log& part : checkpoint.seen_parts)
    TRY_VOID(
        collection::clone_file(files, io::join_path(launch.state(), part.file), io::join_path(seen, part.file), true));
  for (const std::string& made : {runs, seen}) TRY_VOID(files.sync_dir(made));
  TRY_VOID(files.write_atomically(begun + "/manifest", format_manifest(checkpoint)));
  return collection::move_path(files, begun, folder);
}

Result<void> remove_checkpoint(io::Files& files, const collection::Launch& launch, const std::string& name) {
  const std::string folder = checkpoint_folder(launch, name);
  const std::string gone = name.ends_with(kUnfinished) ? folder : folder + std::string(kUnfinished);
  if (gone != folder) TRY_VOID(collection::move_path(files, folder, gone));
  collection::remove_tree(files, gone);
  return files.sync_dir(home(launch));
}

}  // namespace caddis::crawl
