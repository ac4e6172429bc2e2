// What a set of streams does at a start: files that are missed are told, and all others brought in line with their
// rows.

#include <optional>

#include "caddis/base/check.h"
#include "caddis/store/stream_recovery.h"
#include "caddis/store/streams.h"

namespace caddis::store {

using Kind = StreamRow::Kind;
using State = StreamRow::State;

Result<std::vector<MissingFile>> StreamSet::missing() const {
  std::vector<MissingFile> missing;
  std::optional<Orphans::Names> moved;  // listed where one is missed, and once: they may be thousands
  for (const StreamRow& row : rows_) {
    if (row.length == 0 || row.state == State::lost || row.state == State::released) continue;
    if (files_.exists(row.path) || files_.exists(row.open_path())) continue;
    if (!moved) {
      TRY(moved, orphans_.names());
    }
    if (moved->contains(io::base_name(row.path)) || moved->contains(io::base_name(row.open_path()))) continue;
    missing.push_back({row.path, row.length, row.kind == Kind::rolled && row.state == State::closed});
  }
  return missing;
}

void StreamSet::give_up(const std::string& path) { given_up_.insert(path); }

Result<RecoveryReport> StreamSet::recover(const std::vector<std::string>& owned_dirs,
                                          const std::function<bool(std::string_view path)>& keep,
                                          const std::vector<StreamEnds>& earlier, bool goes_back) {
  CADDIS_CHECK(streams_.empty());
  const std::vector<StreamRow> before = rows_;
  for (StreamRow& row : rows_)
    if (given_up_.contains(row.path)) row.state = State::lost;
  TRY(RecoveryReport report, recover_streams(files_, orphans_, rows_, owned_dirs, keep, earlier, goes_back));
  for (size_t i = 0; i < rows_.size(); ++i) {
    Stream& stream = streams_[rows_[i].name];
    stream.kind = rows_[i].kind;
    if (stream.base_path.empty()) stream.base_path = rows_[i].path;  // rows come in the order of generations
    stream.stored_generation = rows_[i].generation;
    stream.stored_length = rows_[i].length;
    const bool newly_lost = rows_[i].state != before[i].state;
    const bool changed = newly_lost || rows_[i].length != before[i].length;
    if (rows_[i].state != State::open && !changed) {
      if (rows_[i].state == State::released) stream.released += rows_[i].length;
      if (rows_[i].state == State::closed && rows_[i].kind == Kind::log) stream.closed.push_back(std::move(rows_[i]));
      continue;
    }
    const uint64_t length = rows_[i].length;
    stream.live.push_back({.row = std::move(rows_[i]),
                           .stored = true,
                           .stored_length = before[i].length,
                           .row_changed = newly_lost,
                           .length = length});
  }
  rows_.clear();
  recovered_ = true;
  return report;
}

Result<void> StreamSet::cut_torn(const std::string& path, uint64_t length) {
  if (length == 0) {
    TRY_VOID(orphans_.take(path));
    return orphans_.sync_folders();
  }
  TRY(const auto file, files_.open_append(path));
  TRY(const uint64_t found, file->size());
  if (found > length) {
    TRY_VOID(orphans_.take_tail(path, length, found));
    TRY_VOID(file->truncate(length));
    TRY_VOID(file->sync());
  }
  for (auto& [name, stream] : streams_)
    for (Generation& generation : stream.live) {
      if (generation.row.path != path || generation.row.state != State::lost) continue;
      generation.row.state = State::closed;
      generation.row.length = generation.length = std::min(length, found);
      if (generation.row.generation == stream.stored_generation) stream.stored_length = generation.length;
    }
  return {};
}

}  // namespace caddis::store
