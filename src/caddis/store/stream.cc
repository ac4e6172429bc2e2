#include "caddis/store/stream.h"

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
  closing = row_changed = sync_failed;
  if (touched && file) {
    if (auto cut = file->truncate(row.length); !cut)
      return pass(std::move(cut.error()), "while taking back what is not committed");
    needs_sync = true;
  }
  touched = false;
  if (!sync_failed) return {};
  // Never synced again: a second sync would succeed without the bytes. A tail that comes back is cut by recovery.
  needs_sync = false;
  file.reset();
  return {};
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
    just_closed.push_back(generation.row);
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
