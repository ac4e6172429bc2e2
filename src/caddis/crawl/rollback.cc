#include "caddis/crawl/rollback.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "caddis/base/counted.h"
#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/collection/archive_folders.h"
#include "caddis/collection/folders.h"
#include "caddis/collection/launch.h"
#include "caddis/collection/layout.h"
#include "caddis/crawl/state_format.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/store/streams.h"
#include "caddis/warc/reader.h"
#include "caddis/warcstore/archive_files.h"

namespace caddis::crawl {
namespace {

constexpr std::string_view kFirstLine = "caddis-going-back 1";
constexpr std::string_view kCheckpointLine = "checkpoint: ", kAsideLine = "aside: ", kLaterLine = "later: ";
constexpr std::string_view kWarcinfoLine = "by-warcinfo";

std::string plan_file(const collection::Launch& launch) { return launch.state() + "/going-back"; }

// The archive files that a state knows, of all its writers.
Result<std::vector<std::string>> archive_files(store::Kv& kv, const std::string& collection) {
  std::set<std::string, std::less<>> streams;
  const auto rows = kv.cursor(kStreams);
  for (rows->seek(kWarcStream); rows->valid() && rows->key().starts_with(kWarcStream); rows->next()) {
    const std::string_view stream = rows->key().substr(0, rows->key().find('\0'));
    if (is_archive_stream(stream)) streams.emplace(stream);
  }
  TRY_VOID(rows->status());
  std::vector<std::string> files;
  for (const std::string& stream : streams) {
    TRY(const auto paths, store::committed_files(kv, kStreams, stream, collection));
    files.insert(files.end(), paths.begin(), paths.end());
  }
  return files;
}

}  // namespace

bool Rollback::is_underway(io::Files& files, const collection::Launch& launch) {
  return files.exists(plan_file(launch));
}

Result<std::optional<Rollback>> Rollback::begin(io::Files& files, const store::KvOpener& open_kv,
                                                const collection::Launch& launch, const std::string& wanted) {
  // A plan that was never begun, since the process died while it was written.
  if (const std::string unwritten = plan_file(launch) + ".tmp"; files.exists(unwritten))
    TRY_VOID(files.remove(unwritten));
  if (!is_underway(files, launch) && wanted.empty()) return std::optional<Rollback>();
  Rollback rollback(files, launch);
  if (is_underway(files, launch)) {
    TRY_VOID(rollback.read_plan());
    if (!wanted.empty() && wanted != "latest" && wanted != rollback.checkpoint_.name)
      return fail(ErrorCode::conflict,
                  fmt::format("{} is on its way back to the checkpoint '{}', which was interrupted: resume it without "
                              "--checkpoint, stop it, then go to '{}'",
                              launch.folder(), rollback.checkpoint_.name, wanted));
  } else {
    TRY_VOID(rollback.plan(open_kv, wanted));
  }
  TRY_VOID(files.make_dirs(rollback.quarantine_dir()));
  TRY_VOID(rollback.swap_folder("db"));
  TRY_VOID(rollback.swap_folder("seen-runs"));
  TRY_VOID(rollback.move_index());
  TRY_VOID(rollback.move_newer_checkpoints());
  return std::optional(std::move(rollback));
}

Result<void> Rollback::plan(const store::KvOpener& open_kv, const std::string& wanted) {
  TRY(checkpoint_, find_checkpoint(*files_, launch_, wanted));
  TRY_VOID(check_format(checkpoint_.format, checkpoint_folder(launch_, checkpoint_.name)));
  const std::string name = "after-" + checkpoint_.name;
  quarantine_ = name;
  for (int again = 2; files_->exists(quarantine_dir()) || files_->exists(launch_.archive() + "/" + quarantine_);
       ++again)
    quarantine_ = fmt::format("{}-{}", name, again);
  TRY_VOID(find_later_files(open_kv));
  std::string text =
      fmt::format("{}\n{}{}\n{}{}\n", kFirstLine, kCheckpointLine, checkpoint_.name, kAsideLine, quarantine_);
  if (by_warcinfo_) text += fmt::format("{}\n", kWarcinfoLine);
  for (const std::string& file : later_) text += fmt::format("{}{}\n", kLaterLine, file);
  return files_->write_atomically(plan_file(launch_), text);
}

Result<void> Rollback::read_plan() {
  TRY(const std::string text, files_->read_all(plan_file(launch_)));
  const auto lines = split(text, '\n');
  if (lines.front() != kFirstLine)
    return fail(ErrorCode::unsupported, fmt::format("{} is not as this Caddis writes it: go on with the version that "
                                                    "wrote it",
                                                    plan_file(launch_)));
  std::string name;
  for (const std::string_view line : lines) {
    if (line.starts_with(kCheckpointLine)) name = line.substr(kCheckpointLine.size());
    if (line.starts_with(kAsideLine)) quarantine_ = line.substr(kAsideLine.size());
    if (line.starts_with(kLaterLine)) later_.emplace_back(line.substr(kLaterLine.size()));
    if (line == kWarcinfoLine) by_warcinfo_ = true;
  }
  if (name.empty() || quarantine_.empty())
    return fail(ErrorCode::corrupt, fmt::format("{} is damaged: it names no checkpoint", plan_file(launch_)));
  TRY(checkpoint_, find_checkpoint(*files_, launch_, name));
  return {};
}

// All WARC files that the present state knows. It may be damaged: that is what checkpoints are for.
Result<void> Rollback::find_later_files(const store::KvOpener& open_kv) {
  const auto read = [&]() -> Result<void> {
    TRY(const auto kv, open_kv(launch_.store(), family_names()));
    TRY(const auto format, kv->get(kMeta, kFormatRow));
    if (!format) return fail(ErrorCode::not_found, "it is empty");
    TRY(const auto paths, archive_files(*kv, launch_.collection));
    for (const std::string& path : paths) later_.push_back(warcstore::kept_path(launch_.archive(), path));
    const auto rows = kv->cursor(kMeta);
    for (rows->seek(kBegunRow); rows->valid() && rows->key().starts_with(kBegunRow); rows->next())
      later_.emplace_back(rows->value());
    return rows->status();
  };
  const auto known = read();
  if (known) return {};
  if (known.error().code == ErrorCode::conflict) return std::unexpected(known.error());
  log_warn("crawl", "the state of {} cannot be read: {}; which WARC files it wrote is asked of the files themselves",
           launch_.folder(), known.error().message);
  later_.clear();
  by_warcinfo_ = true;
  return {};
}

// Each step leaves behind what tells that it was done.
Result<void> Rollback::swap_folder(const std::string& name) {
  const std::string current = launch_.state() + "/" + name, old = quarantine_dir() + "/" + name;
  if (!files_->exists(old)) {
    TRY_VOID(files_->make_dirs(current));
    TRY_VOID(collection::move_path(*files_, current, old));
  }
  if (files_->exists(current)) return {};
  const std::string begun = current + ".new";
  TRY_VOID(collection::clone_folder(*files_, checkpoint_folder(launch_, checkpoint_.name) + "/" + name, begun));
  return collection::move_path(*files_, begun, current);
}

// They are of a history that does not go on.
Result<void> Rollback::move_newer_checkpoints() {
  TRY(const Checkpoints found, list_checkpoints(*files_, launch_));
  for (const Checkpoint& one : found.complete) {
    if (one.number <= checkpoint_.number) continue;
    TRY_VOID(files_->make_dirs(quarantine_dir() + "/checkpoints"));
    TRY_VOID(collection::move_path(*files_, checkpoint_folder(launch_, one.name),
                                   quarantine_dir() + "/checkpoints/" + one.name));
  }
  return {};
}

// It names captures that are newer; it is made anew when the crawl ends.
Result<void> Rollback::move_index() {
  for (const std::string& path : {launch_.index(), launch_.index() + ".meta", launch_.digests()})
    if (files_->exists(path))
      TRY_VOID(collection::move_path(*files_, path, quarantine_dir() + "/" + std::string(io::base_name(path))));
  return {};
}

Result<void> Rollback::move_later_files(store::Kv& kv) {
  TRY(const auto paths, archive_files(kv, launch_.collection));
  std::set<std::string, std::less<>> known;
  for (const std::string& path : paths) known.insert(warcstore::kept_path(launch_.archive(), path));
  if (by_warcinfo_) {
    later_.clear();
    for (const std::string& folder : collection::archive_folders(*files_, launch_.layout()))
      if (files_->is_directory(folder)) TRY_VOID(find_own_files(folder));
  }
  for (const std::string& name : later_)
    if (!known.contains(name)) TRY_VOID(move_archive_file(name));
  TRY_VOID(move_later_parts(kv, kSeenStream, launch_.seen_log()));
  TRY_VOID(bring_back_seen_parts());
  TRY_VOID(move_later_actions(kv));
  return move_later_parts(kv, kCdxStream, launch_.cdx_journal());
}

// Adds the files of this launch that a folder has, as their warcinfo records say.
Result<void> Rollback::find_own_files(const std::string& folder) {
  TRY(const auto entries, files_->list(folder));
  for (const io::DirectoryEntry& entry : entries) {
    if (entry.is_directory) continue;
    std::string path = io::join_path(folder, entry.name);
    TRY(const bool is_ours, is_of_this_launch(path));
    if (!is_ours) continue;
    if (path.ends_with(collection::kOpenSuffix))
      path.resize(path.size() - std::string_view(collection::kOpenSuffix).size());
    later_.push_back(warcstore::kept_path(launch_.archive(), path));
  }
  return {};
}

Result<void> Rollback::move_archive_file(const std::string& name) {
  const std::string closed = warcstore::begun_path(launch_.archive(), name);
  const std::string folder = io::parent_path(closed) + "/" + quarantine_;
  for (const std::string& path : {closed, closed + collection::kOpenSuffix}) {
    if (!files_->exists(path)) continue;
    TRY_VOID(files_->make_dirs(folder));
    TRY_VOID(collection::move_path(*files_, path, io::join_path(folder, io::base_name(path))));
    ++moved_;
  }
  return {};
}

// Files in which a log went on after the checkpoint: recovery, which sweeps other folders, would take them for parts.
Result<void> Rollback::move_later_parts(store::Kv& kv, const std::string& stream, const std::string& path) {
  TRY(const auto known, store::committed_files(kv, kStreams, stream, launch_.collection));
  TRY(const auto parts, store::log_parts(*files_, path));
  // Names, since one and the same folder may be written in several ways.
  const auto is_known = [&](const std::string& part) {
    return std::ranges::any_of(known,
                               [&](const std::string& one) { return io::base_name(one) == io::base_name(part); });
  };
  for (const std::string& part : parts)
    if (!is_known(part))
      TRY_VOID(collection::move_path(*files_, part, io::join_path(quarantine_dir(), io::base_name(part))));
  return {};
}

// Files of the fingerprint log that were let go since. The others become files of their own if newer checkpoints share
// them: what is cut, and written in its place, is not theirs.
Result<void> Rollback::bring_back_seen_parts() {
  const std::string kept = checkpoint_folder(launch_, checkpoint_.name) + "/seen";
  const bool are_shared = files_->exists(quarantine_dir() + "/checkpoints");
  for (const Checkpoint::Log& part : checkpoint_.seen_parts) {
    const std::string path = io::join_path(launch_.state(), part.file), begun = path + ".new";
    if (files_->exists(begun)) TRY_VOID(files_->remove(begun));
    const bool is_there = files_->exists(path);
    if (is_there && !are_shared) continue;
    TRY_VOID(collection::clone_file(*files_, is_there ? path : io::join_path(kept, part.file), begun, !is_there));
    TRY_VOID(collection::move_path(*files_, begun, path));
  }
  return {};
}

// Action files since are undone, and moved away; those that were under way at the checkpoint are gone on with.
Result<void> Rollback::move_later_actions(store::Kv& kv) {
  const std::string done = launch_.actions() + "/done/", taken = launch_.actions() + "/taken/";
  if (!files_->is_directory(done)) return {};
  const auto rows = kv.cursor(kMeta);
  for (rows->seek(kActionRow); rows->valid() && rows->key().starts_with(kActionRow); rows->next()) {
    const std::string file(rows->key().substr(kActionRow.size()));
    if (files_->exists(done + file)) TRY_VOID(collection::move_path(*files_, done + file, taken + file));
  }
  TRY_VOID(rows->status());
  const std::string since = timestamp17(checkpoint_.taken);
  TRY(const auto entries, files_->list(done));
  for (const io::DirectoryEntry& entry : entries) {
    if (std::string_view(entry.name).substr(0, since.size()) <= since) continue;
    TRY_VOID(files_->make_dirs(quarantine_dir() + "/action"));
    TRY_VOID(collection::move_path(*files_, done + entry.name, quarantine_dir() + "/action/" + entry.name));
    undone_ += entry.name.ends_with(".report") ? 0 : 1;
  }
  return {};
}

Result<bool> Rollback::is_of_this_launch(const std::string& path) {
  constexpr uint64_t kMostWarcinfo = 1 << 20;
  TRY(const auto file, files_->open_read(path));
  const warc::FileSource source(*file);
  warc::Reader reader(source, warc::ReaderOptions{.resync = false});
  const auto record = reader.next();
  if (!record || *record == nullptr || (*record)->type() != warc::RecordType::warcinfo) return false;
  const auto block = (*record)->read_all(kMostWarcinfo);
  if (!block) return false;
  return std::ranges::any_of(split(*block, '\n'), [&](std::string_view line) {
    // In ARC an element has it.
    return trim(line) == fmt::format("caddis-crawl: {}", launch_.name) ||
           line.contains(fmt::format(">caddis-crawl: {}<", launch_.name));
  });
}

Result<void> Rollback::finish() {
  TRY_VOID(files_->remove(plan_file(launch_)));
  return files_->sync_dir(launch_.state());
}

std::string Rollback::summary(std::string_view next_serial) const {
  std::string text = fmt::format(
      "went back to the checkpoint '{}' of {}, with {} documents, in WARC files with serial numbers below {}",
      checkpoint_.name, rfc3339(checkpoint_.taken), checkpoint_.documents, next_serial);
  if (moved_ > 0)
    text += fmt::format("; {} in {}/{}", counted(moved_, "newer WARC file is", "newer WARC files are"),
                        launch_.archive(), quarantine_);
  if (undone_ > 0)
    text += fmt::format("; what {} had asked for since is undone ({}/action): put into {} what is to hold again",
                        counted(undone_, "action file"), quarantine_dir(), launch_.actions());
  return text + fmt::format("; what else is newer is in {}", quarantine_dir());
}

}  // namespace caddis::crawl
