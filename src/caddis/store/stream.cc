#include "caddis/store/stream.h"

#include <fmt/format.h>

namespace caddis::store {

using Kind = StreamRow::Kind;
using State = StreamRow::State;

Result<void> Generation::sync() {
  if (!needs_sync) return {};
  auto synced = file->sync();
  if (synced)
    needs_sync = false;
  else
    sync_failed = true;
  return synced;
}

Result<void> Generation::cut_back() {
  gathered.clear();
  length = row.length;
  closing = row_changed = sync_failed || is_left;
  if (touched && file && !is_gone) {
    auto cut = file->truncate(row.length);
    if (!cut && row.kind != Kind::rolled)
      return pass(std::move(cut.error()), "while taking back what is not committed");
    is_gone = !cut;
    needs_sync = true;
  }
  touched = false;
  if (!sync_failed && !is_gone) return {};
  // Never synced again: a second sync would succeed without the bytes. A tail that comes back is cut by recovery.
  needs_sync = false;
  file.reset();
  return {};
}

// Bytes for a file that has lost its name would be nowhere.
Result<void> Generation::check_in_place(io::Files& files) const {
  const std::string path = row.open_path();
  if (row.kind != Kind::rolled || !stored || files.exists(path)) return {};
  return fail(ErrorCode::not_found, path + " is not there any more: bring it back, with its disk or folder");
}

Result<void> Generation::open(io::Files& files) {
  const std::string path = row.open_path();
  TRY_VOID(check_in_place(files));
  TRY(auto opened, files.open_append(path));
  TRY(uint64_t size, opened->size());
  if (is_gone && size > row.length) {
    TRY_VOID(opened->truncate(row.length));
    size = row.length;
  }
  if (size != row.length)
    return fail(ErrorCode::conflict,
                fmt::format("{} has {} bytes, but {} are committed: somebody else writes it", path, size, row.length));
  file = std::move(opened);
  is_gone = false;
  return {};
}

// It is not synced: what the file has behind its committed bytes is cut by recovery, if it comes back.
void Generation::leave(io::Files& files) {
  is_left = true;
  (void)cut_back();
  is_gone = is_gone || !files.exists(row.open_path());
  closing = row_changed = true;
  needs_sync = false;
  file.reset();
}

Result<void> Stream::remove_begun(io::Files& files, std::set<std::string>& folders) {
  while (!live.empty() && !live.back().stored) {
    Generation& begun = live.back();
    begun.file.reset();
    const std::string path = begun.row.open_path();
    if (files.exists(path)) TRY_VOID(files.remove(path));
    folders.insert(io::parent_path(path));
    live.pop_back();
  }
  return {};
}

void Stream::abandon_left(io::Files& files, std::set<std::string>& folders) {
  while (!live.empty() && !live.back().stored) {
    Generation& begun = live.back();
    begun.file.reset();
    const std::string path = begun.row.open_path();
    if (files.exists(path)) (void)files.remove(path);
    // It need not be synced: what has to be there is begun anew.
    folders.erase(io::parent_path(path));
    live.pop_back();
  }
  for (Generation& generation : live)
    if (generation.row.state == State::open) generation.leave(files);
}

std::vector<StreamRow> Stream::settle() {
  std::vector<StreamRow> just_closed;
  for (Generation& generation : live) {
    generation.row.length = generation.stored_length = generation.length;
    generation.stored = true;
    generation.row_changed = generation.touched = false;
    if (generation.row.generation >= stored_generation) {
      stored_generation = generation.row.generation;
      stored_length = generation.length;
    }
    if (!generation.closing) continue;
    generation.row.state = State::closed;
    if (!generation.is_left || !generation.is_gone) just_closed.push_back(generation.row);
  }
  for (const Generation& generation : live)
    if (kind == Kind::log && generation.row.state == State::closed) closed.push_back(generation.row);
  std::ranges::sort(closed, {}, &StreamRow::generation);
  std::erase_if(live, [](const Generation& generation) { return generation.row.state != State::open; });
  return just_closed;
}

std::vector<std::string> Stream::settle_released() {
  std::vector<std::string> paths;
  const auto end = closed.begin() + static_cast<std::ptrdiff_t>(to_release);
  for (auto row = closed.begin(); row != end; ++row) {
    released += row->length;
    paths.push_back(std::move(row->path));
  }
  closed.erase(closed.begin(), end);
  to_release = 0;
  return paths;
}

}  // namespace caddis::store
