#include "caddis/store/stream_recovery.h"

#include <algorithm>
#include <set>

#include "caddis/base/strings.h"

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

bool is_asked_for(const StreamRow& row) { return row.state != State::lost && row.state != State::released; }

// What lies on the disk for a row.
struct Found {
  std::string path;  // "": nothing
  uint64_t length = 0;
};

// Where the stream of a row ended. A stream that is not named had no file; a log begins with its first.
StreamEnd end_of(const StreamRow& row, const StreamEnds& ends) {
  const auto named = std::ranges::find(ends, row.name, &StreamEnd::name);
  StreamEnd end = named != ends.end() ? *named : StreamEnd{row.name, 0, 0};
  if (end.generation == 0 && row.kind == StreamRow::Kind::log) end.generation = 1;
  return end;
}

class Recovery {
 public:
  Recovery(io::Files& files, Orphans& orphans) : files_(files), orphans_(orphans) {}

  Result<void> look(const std::vector<StreamRow>& rows);
  Result<void> go_back(std::vector<StreamRow>& rows, const std::vector<StreamEnds>& earlier, bool in_any_case);
  Result<void> settle(StreamRow& row, const Found& found);
  const std::vector<Found>& found() const { return found_; }
  Result<void> clear_out(const std::string& folder, const std::function<bool(std::string_view path)>& keep);
  Result<void> clear_out_parts(const std::string& log);
  Result<RecoveryReport> finish();

 private:
  bool is_whole(const std::vector<StreamRow>& rows, const std::vector<StreamEnds>& earlier, size_t place) const;
  Result<std::string> locate(const StreamRow& row);
  Result<uint64_t> length_of(const std::string& path);
  Result<void> rename(const std::string& from, const std::string& to);
  Result<void> cut(const std::string& path, uint64_t committed, uint64_t found);

  io::Files& files_;
  Orphans& orphans_;
  RecoveryReport report_;
  std::vector<Found> found_;  // of each row
  std::set<std::string> known_;
  std::set<std::string> to_sync_;
};

Result<void> Recovery::look(const std::vector<StreamRow>& rows) {
  for (const StreamRow& row : rows) {
    Found found;
    if (is_asked_for(row)) {
      TRY(found.path, locate(row));
      if (!found.path.empty()) {
        TRY(found.length, length_of(found.path));
      }
    }
    found_.push_back(std::move(found));
  }
  return {};
}

// Whether nothing is missing up to that place. Files that were closed before the first of all places are not asked: no
// way back leads to them.
bool Recovery::is_whole(const std::vector<StreamRow>& rows, const std::vector<StreamEnds>& earlier,
                        size_t place) const {
  for (size_t i = 0; i < rows.size(); ++i) {
    const StreamRow& row = rows[i];
    if (!is_asked_for(row) || row.generation < end_of(row, earlier.front()).generation) continue;
    const StreamEnd end =
        place < earlier.size() ? end_of(row, earlier[place]) : StreamEnd{row.name, row.generation, row.length};
    if (row.generation > end.generation) continue;
    const uint64_t needed = row.generation == end.generation ? std::min(end.length, row.length) : row.length;
    if (found_[i].length < needed) return false;
  }
  return true;
}

// To the last place up to which nothing is missing; to the first one where there is none.
Result<void> Recovery::go_back(std::vector<StreamRow>& rows, const std::vector<StreamEnds>& earlier, bool in_any_case) {
  if (earlier.empty() || (!in_any_case && is_whole(rows, earlier, earlier.size()))) return {};
  size_t place = earlier.size() - 1;
  while (place > 0 && !is_whole(rows, earlier, place)) --place;
  report_.went_back_to = place;
  for (size_t i = 0; i < rows.size(); ++i) {
    StreamRow& row = rows[i];
    if (!is_asked_for(row)) continue;
    const StreamEnd end = end_of(row, earlier[place]);
    if (row.generation < end.generation) continue;
    const uint64_t kept = row.generation == end.generation ? std::min(end.length, row.length) : 0;
    if (found_[i].length >= kept && found_[i].length < row.length)
      report_.mended.push_back({row.path, row.length, found_[i].length, {}});
    row.length = kept;
    if (row.generation == end.generation) continue;
    row.state = State::lost;
    if (found_[i].path.empty()) continue;
    TRY(std::string saved, orphans_.take(found_[i].path));
    report_.orphans.push_back(std::move(saved));
  }
  return {};
}

Result<void> Recovery::rename(const std::string& from, const std::string& to) {
  TRY_VOID(files_.rename(from, to));
  to_sync_.insert(io::parent_path(to));
  return {};
}

// The file of a row, under its open or its final name; "" where there is none.
Result<std::string> Recovery::locate(const StreamRow& row) {
  const bool has_final = files_.exists(row.path);
  if (row.suffix.empty()) return has_final ? row.path : std::string();
  if (!files_.exists(row.open_path())) return has_final ? row.path : std::string();
  if (has_final) {
    // A rename leaves one name: the file with the open name is ours, the other one somebody put there.
    TRY(std::string saved, orphans_.take(row.path));
    report_.orphans.push_back(std::move(saved));
  }
  return row.open_path();
}

Result<uint64_t> Recovery::length_of(const std::string& path) {
  TRY(const auto file, files_.open_read(path));
  return file->size();
}

Result<void> Recovery::cut(const std::string& path, uint64_t committed, uint64_t found) {
  TRY(std::string saved, orphans_.take_tail(path, committed, found));
  TRY(const auto file, files_.open_append(path));
  TRY_VOID(file->truncate(committed));
  TRY_VOID(file->sync());
  report_.cut.push_back({path, committed, found, std::move(saved)});
  return {};
}

Result<void> Recovery::settle(StreamRow& row, const Found& on_disk) {
  known_.insert(plain(row.path));
  known_.insert(plain(row.open_path()));
  // Should it stay, the next start removes it.
  if (row.state == State::released && files_.exists(row.path)) (void)files_.remove(row.path);
  if (!is_asked_for(row)) return {};

  const auto& [found_at, found] = on_disk;
  const bool is_shorter = found < row.length;
  const std::string name = row.state == State::open && !is_shorter ? row.open_path() : row.path;
  if (is_shorter) {
    row.state = State::lost;
    report_.shorter.push_back({name, row.length, found, {}});
  }
  if (found_at.empty()) {
    if (row.state != State::open) return {};
    // Nothing was committed into it but its name: it begins anew.
    TRY_VOID(files_.make_dirs(io::parent_path(name)));
    TRY_VOID(files_.open_append(name));
    to_sync_.insert(io::parent_path(name));
    return {};
  }
  if (found_at != name) {
    TRY_VOID(rename(found_at, name));
    if (row.state == State::closed) report_.finished.push_back(name);
  }
  if (found > row.length) TRY_VOID(cut(name, row.length, found));
  return {};
}

Result<void> Recovery::clear_out(const std::string& folder, const std::function<bool(std::string_view path)>& keep) {
  if (!files_.is_directory(folder)) return {};
  TRY(const auto entries, files_.list(folder));
  for (const auto& entry : entries) {
    const std::string path = io::join_path(folder, entry.name);
    if (entry.is_directory || known_.contains(plain(path)) || (keep && keep(path))) continue;
    TRY(std::string saved, orphans_.take(path));
    report_.orphans.push_back(std::move(saved));
  }
  return {};
}

// Files in which a log was to go on, when the process died.
Result<void> Recovery::clear_out_parts(const std::string& log) {
  if (!files_.is_directory(io::parent_path(log))) return {};
  TRY(const auto parts, log_parts(files_, log));
  for (const std::string& part : parts) {
    if (known_.contains(plain(part))) continue;
    TRY(std::string saved, orphans_.take(part));
    report_.orphans.push_back(std::move(saved));
  }
  return {};
}

Result<RecoveryReport> Recovery::finish() {
  for (const std::string& folder : to_sync_) TRY_VOID(files_.sync_dir(folder));
  TRY_VOID(orphans_.sync_folders());
  return std::move(report_);
}

}  // namespace

Result<RecoveryReport> recover_streams(io::Files& files, Orphans& orphans, std::vector<StreamRow>& rows,
                                       const std::vector<std::string>& owned_dirs,
                                       const std::function<bool(std::string_view path)>& keep,
                                       const std::vector<StreamEnds>& earlier, bool goes_back) {
  Recovery recovery(files, orphans);
  TRY_VOID(recovery.look(rows));
  TRY_VOID(recovery.go_back(rows, earlier, goes_back));
  for (size_t i = 0; i < rows.size(); ++i) {
    if (auto settled = recovery.settle(rows[i], recovery.found()[i]); !settled) {
      return pass(std::move(settled.error()), "while recovering stream " + rows[i].name);
    }
  }
  for (const StreamRow& row : rows)
    if (row.kind == StreamRow::Kind::log && row.generation == 1) TRY_VOID(recovery.clear_out_parts(row.path));
  for (const std::string& folder : owned_dirs) TRY_VOID(recovery.clear_out(folder, keep));
  return recovery.finish();
}

}  // namespace caddis::store
