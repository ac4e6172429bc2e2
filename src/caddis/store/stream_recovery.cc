#include "caddis/store/stream_recovery.h"

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

class Recovery {
 public:
  Recovery(io::Files& files, Orphans& orphans) : files_(files), orphans_(orphans) {}

  Result<void> settle(StreamRow& row);
  Result<void> clear_out(const std::string& folder, const std::function<bool(std::string_view path)>& keep);
  Result<RecoveryReport> finish();

 private:
  Result<std::string> locate(const StreamRow& row);
  Result<uint64_t> length_of(const std::string& path);
  Result<void> rename(const std::string& from, const std::string& to);
  Result<void> cut(const std::string& path, uint64_t committed, uint64_t found);

  io::Files& files_;
  Orphans& orphans_;
  RecoveryReport report_;
  std::set<std::string> known_;
  std::set<std::string> to_sync_;
};

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

Result<void> Recovery::settle(StreamRow& row) {
  known_.insert(plain(row.path));
  known_.insert(plain(row.open_path()));
  if (row.state == State::lost) return {};

  TRY(const std::string found_at, locate(row));
  uint64_t found = 0;
  if (!found_at.empty()) {
    TRY(found, length_of(found_at));
  }
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

Result<RecoveryReport> Recovery::finish() {
  for (const std::string& folder : to_sync_) TRY_VOID(files_.sync_dir(folder));
  TRY_VOID(orphans_.sync_folders());
  return std::move(report_);
}

}  // namespace

Result<RecoveryReport> recover_streams(io::Files& files, Orphans& orphans, std::vector<StreamRow>& rows,
                                       const std::vector<std::string>& owned_dirs,
                                       const std::function<bool(std::string_view path)>& keep) {
  Recovery recovery(files, orphans);
  for (StreamRow& row : rows) {
    if (auto settled = recovery.settle(row); !settled) {
      return pass(std::move(settled.error()), "while recovering stream " + row.name);
    }
  }
  for (const std::string& folder : owned_dirs) TRY_VOID(recovery.clear_out(folder, keep));
  return recovery.finish();
}

}  // namespace caddis::store
