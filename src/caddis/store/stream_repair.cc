#include "caddis/store/stream_repair.h"

#include <algorithm>

#include "caddis/store/packed_log.h"

namespace caddis::store {

namespace {

using State = StreamRow::State;

// Where the stream of a row ended. A stream that is not named had no file; a log begins with its first.
StreamEnd end_of(const StreamRow& row, const StreamEnds& ends) {
  const auto named = std::ranges::find(ends, row.name, &StreamEnd::name);
  StreamEnd end = named != ends.end() ? *named : StreamEnd{row.name, 0, 0};
  if (end.generation == 0 && row.kind == StreamRow::Kind::log) end.generation = 1;
  return end;
}

}  // namespace

Result<StreamRepair> StreamRepair::open(io::Files& files, Kv& kv, Family family, std::string orphans,
                                        std::string root) {
  while (root.size() > 1 && root.back() == '/') root.pop_back();
  StreamRepair repair(files, family, std::move(orphans), std::move(root));
  TRY(auto rows, read_stream_rows(kv, family, repair.root_));
  for (StreamRow& row : rows) {
    File file{.row = row, .stored = row, .found = {}};
    if (is_asked_for(row)) {
      TRY(file.found, find_file(files, row));
    }
    repair.known_.push_back(std::move(file));
  }
  return repair;
}

Result<std::vector<ShortFile>> StreamRepair::shorter() const {
  std::vector<ShortFile> shorter;
  ShortFiles short_files(orphans_);
  for (const File& file : known_) {
    if (!is_asked_for(file.row)) continue;
    TRY(auto one, short_files.compare(file.row, file.found));
    if (one) shorter.push_back(*std::move(one));
  }
  return shorter;
}

// Returns true if nothing is missing up to that place. Files that were closed before the first of all places are not
// asked: no way back leads to them.
bool StreamRepair::is_whole(const std::vector<StreamEnds>& places, size_t place) const {
  for (const auto& [row, stored, found] : known_) {
    if (!is_asked_for(row) || row.generation < end_of(row, places.front()).generation) continue;
    const StreamEnd end =
        place < places.size() ? end_of(row, places[place]) : StreamEnd{row.name, row.generation, row.length};
    if (row.generation > end.generation) continue;
    const uint64_t needed = row.generation == end.generation ? std::min(end.length, row.length) : row.length;
    if (found.length < needed) return false;
  }
  return true;
}

std::optional<size_t> StreamRepair::place_to_go(const std::vector<StreamEnds>& places) const {
  if (places.empty() || is_whole(places, places.size())) return std::nullopt;
  size_t place = places.size() - 1;
  while (place > 0 && !is_whole(places, place)) --place;
  return place;
}

void StreamRepair::go_back(const StreamEnds& place) {
  for (File& file : known_) {
    StreamRow& row = file.row;
    if (!is_asked_for(row)) continue;
    const StreamEnd end = end_of(row, place);
    if (row.generation < end.generation) continue;
    row.length = row.generation == end.generation ? std::min(end.length, row.length) : 0;
    if (row.generation > end.generation) give_up(file);
  }
}

void StreamRepair::cut(const std::string& path, uint64_t length) {
  for (File& file : known_) {
    if (file.row.path != path || !is_asked_for(file.row)) continue;
    file.row.length = std::min(length, file.found.length);
    file.row.state = State::closed;
    if (file.row.length == 0) give_up(file);
  }
}

void StreamRepair::give_up(File& file) {
  file.row.state = State::lost;
  if (!file.found.path.empty()) aside_.push_back(file.found.path);
  // While a closed file of a log is packed both forms lie there.
  if (file.row.kind != StreamRow::Kind::log) return;
  for (const std::string& form : {file.row.path, packed_path(file.row.path)})
    if (form != file.found.path && files_.exists(form)) aside_.push_back(form);
}

LogParts StreamRepair::parts(StreamId log) const {
  LogParts parts;
  for (const File& file : known_) {
    if (file.row.name != log) continue;
    if (file.row.state == State::released)
      parts.released += file.row.length;
    else if (is_asked_for(file.row))
      parts.parts.push_back({file.row.path, file.row.length});
  }
  return parts;
}

Result<void> StreamRepair::move_aside() {
  for (const std::string& path : aside_)
    if (files_.exists(path)) TRY_VOID(orphans_.take(path));
  aside_.clear();
  return orphans_.sync_folders();
}

void StreamRepair::stage(Batch& batch) const {
  for (const auto& [row, stored, found] : known_)
    if (row.state != stored.state || row.length != stored.length)
      batch.put(family_, stream_key(row), encode_stream_row(row, root_));
}

}  // namespace caddis::store
