// How files are brought in line with rows. The plan looks at each row and its file, then at the folders that the set
// owns; applying it moves strangers away first, so that names are free, then renames, then cuts. Each step is safe on
// its own: a tail is copied and synced before it is cut, a move leaves one name.

#include "caddis/store/stream_recovery.h"

#include <algorithm>
#include <set>

#include "caddis/base/strings.h"
#include "caddis/store/packed_log.h"
#include "caddis/store/streams.h"

namespace caddis::store {

namespace {

using State = StreamRow::State;

// Without "." and empty parts, so that paths can be compared.
std::string plain(std::string_view path) {
  std::string out = path.starts_with('/') ? "/" : "";
  for (const std::string_view part : split(path, '/')) {
    if (!part.empty() && part != ".") out = io::join_path(out, part);
  }
  return out;
}

Result<uint64_t> length_of(io::Files& files, const std::string& path) {
  TRY(const auto file, files.open_read(path));
  return file->size();
}

class Planner {
 public:
  Planner(io::Files& files, Orphans orphans) : files_(files), orphans_(std::move(orphans)), short_files_(orphans_) {}

  Result<void> add_row(const StreamRow& row);
  Result<void> clear_out(const std::string& folder, const std::function<bool(std::string_view path)>& keep);
  Result<void> clear_out_parts(const std::string& log);
  StreamPlan take() { return std::move(plan_); }

 private:
  Result<void> add_orphan(const std::string& path);
  void add_packed_names(const StreamRow& row);

  io::Files& files_;
  Orphans orphans_;
  ShortFiles short_files_;
  StreamPlan plan_;
  std::set<std::string> known_;  // of rows, and orphans
};

Result<void> Planner::add_orphan(const std::string& path) {
  TRY(std::string to, orphans_.next_path(io::base_name(path)));
  known_.insert(plain(path));
  plan_.orphans.push_back({path, std::move(to)});
  return {};
}

Result<void> Planner::add_row(const StreamRow& row) {
  known_.insert(plain(row.path));
  known_.insert(plain(row.open_path()));
  if (row.kind == StreamRow::Kind::log) add_packed_names(row);
  if (row.state == State::released && files_.exists(row.path)) plan_.removed.push_back(row.path);
  if (!is_asked_for(row)) return {};

  TRY(const FoundFile found, find_file(files_, row));
  if (!found.stranger.empty()) TRY_VOID(add_orphan(found.stranger));
  TRY(auto shorter, short_files_.compare(row, found));
  if (shorter) {
    plan_.shorter.push_back(*std::move(shorter));
    return {};
  }
  const std::string name = row.state == State::open ? row.open_path() : row.path;
  if (found.is_packed) {
    if (row.state == State::closed && found.length == row.length) return {};
    plan_.unpacked.push_back(name);
  } else if (row.kind == StreamRow::Kind::log && files_.exists(packed_path(row.path))) {
    plan_.removed.push_back(packed_path(row.path));
  }
  if (found.path.empty()) {
    if (row.state == State::open) plan_.begun.push_back(name);
    return {};
  }
  if (found.path != name && !found.is_packed) plan_.renamings.push_back({found.path, name});
  if (found.length == row.length) return {};
  TRY(std::string saved, orphans_.next_path(Orphans::name_of_tail(name, row.length)));
  plan_.cuts.push_back({name, row.length, found.length, std::move(saved)});
  return {};
}

// The other forms of a file of a log are ours, too.
void Planner::add_packed_names(const StreamRow& row) {
  known_.insert(plain(packed_path(row.path)));
  const std::string begun = packing_path(row.path);
  if (known_.insert(plain(begun)).second && files_.exists(begun)) plan_.removed.push_back(begun);
}

Result<void> Planner::clear_out(const std::string& folder, const std::function<bool(std::string_view path)>& keep) {
  if (!files_.is_directory(folder)) return {};
  TRY(const auto entries, files_.list(folder));
  for (const auto& entry : entries) {
    const std::string path = io::join_path(folder, entry.name);
    if (entry.is_directory || known_.contains(plain(path)) || (keep && keep(path))) continue;
    TRY_VOID(add_orphan(path));
  }
  return {};
}

// Files in which a log was to go on, when the process died.
Result<void> Planner::clear_out_parts(const std::string& log) {
  if (!files_.is_directory(io::parent_path(log))) return {};
  TRY(const auto parts, log_parts(files_, log));
  for (const std::string& part : parts)
    if (!known_.contains(plain(part))) TRY_VOID(add_orphan(part));
  return {};
}

Result<void> cut(io::Files& files, Orphans& orphans, const StreamPlan::Cut& what) {
  TRY_VOID(orphans.take_tail(what.path, what.committed, what.found, what.saved_as));
  TRY(const auto file, files.open_append(what.path));
  TRY_VOID(file->truncate(what.committed));
  return file->sync();
}

}  // namespace

bool is_asked_for(const StreamRow& row) { return row.state != State::lost && row.state != State::released; }

Result<FoundFile> find_file(io::Files& files, const StreamRow& row) {
  FoundFile found;
  const bool has_final = files.exists(row.path);
  const bool is_under_open_name = !row.suffix.empty() && files.exists(row.open_path());
  if (is_under_open_name || has_final) found.path = is_under_open_name ? row.open_path() : row.path;
  // A rename leaves one name: the file with the open name is ours, the other one somebody put there.
  if (is_under_open_name && has_final) found.stranger = row.path;
  if (!found.path.empty()) {
    TRY(found.length, length_of(files, found.path));
  }
  // While it is packed, and for a while after that, both forms are there.
  const std::string packed = packed_path(row.path);
  if (row.kind != StreamRow::Kind::log || !files.exists(packed)) return found;
  if (!found.path.empty() && found.length >= row.length) return found;
  TRY(const auto length, length_of_packed(files, packed));
  if (!found.path.empty() && length.value_or(0) < row.length) return found;
  found.stranger = found.path;
  found.path = packed;
  found.length = length.value_or(0);
  found.is_packed = true;
  return found;
}

Result<std::optional<ShortFile>> ShortFiles::compare(const StreamRow& row, const FoundFile& found) {
  if (found.length >= row.length) return std::nullopt;
  ShortFile file{.stream = row.name,
                 .path = row.path,
                 .at = found.path,
                 .committed = row.length,
                 .found = found.length,
                 .is_complete = row.kind == StreamRow::Kind::rolled && row.state == State::closed};
  if (found.path.empty()) {
    if (!moved_) {
      TRY(moved_, orphans_.names());
    }
    file.is_missing = !moved_->contains(io::base_name(row.path)) && !moved_->contains(io::base_name(row.open_path()));
  }
  return file;
}

Result<std::vector<StreamRow>> read_stream_rows(Kv& kv, Family family, const std::string& root) {
  std::vector<StreamRow> rows;
  const auto cursor = kv.cursor(family);
  for (cursor->seek(""); cursor->valid(); cursor->next()) {
    TRY(StreamRow row, decode_stream_row(cursor->key(), cursor->value(), root));
    rows.push_back(std::move(row));
  }
  TRY_VOID(cursor->status());
  return rows;
}

Result<StreamPlan> plan_recovery(io::Files& files, Orphans orphans, const std::vector<StreamRow>& rows,
                                 const std::vector<std::string>& owned_dirs,
                                 const std::function<bool(std::string_view path)>& keep) {
  Planner planner(files, std::move(orphans));
  for (const StreamRow& row : rows)
    if (auto added = planner.add_row(row); !added)
      return pass(std::move(added).error(), "while looking at stream " + row.name);
  for (const StreamRow& row : rows)
    if (row.kind == StreamRow::Kind::log && row.generation == 1) TRY_VOID(planner.clear_out_parts(row.path));
  for (const std::string& folder : owned_dirs) TRY_VOID(planner.clear_out(folder, keep));
  return planner.take();
}

Result<void> apply_recovery(io::Files& files, Orphans& orphans, const StreamPlan& plan) {
  std::set<std::string> to_sync;
  // Should they stay, the next start removes them.
  for (const std::string& path : plan.removed) (void)files.remove(path);
  for (const auto& [from, to] : plan.orphans) TRY_VOID(orphans.take(from, to));
  for (const auto& [from, to] : plan.renamings) {
    TRY_VOID(files.rename(from, to));
    to_sync.insert(io::parent_path(to));
  }
  for (const std::string& path : plan.unpacked) {
    TRY_VOID(unpack_log(files, path));
    TRY_VOID(files.remove(packed_path(path)));
    to_sync.insert(io::parent_path(path));
  }
  for (const std::string& path : plan.begun) {
    TRY_VOID(files.make_dirs(io::parent_path(path)));
    TRY_VOID(files.open_append(path));
    to_sync.insert(io::parent_path(path));
  }
  for (const StreamPlan::Cut& what : plan.cuts) TRY_VOID(cut(files, orphans, what));
  for (const std::string& folder : to_sync) TRY_VOID(files.sync_dir(folder));
  return orphans.sync_folders();
}

}  // namespace caddis::store
