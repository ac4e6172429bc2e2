#include "caddis/store/streams.h"

#include <algorithm>
#include <utility>

#include "caddis/base/check.h"
#include "caddis/base/log.h"
#include "caddis/store/stream_set.h"

namespace caddis::store {

namespace {

using Kind = StreamRow::Kind;
using State = StreamRow::State;

// A group's bytes are gathered and written at once; more than this is written as it comes.
constexpr size_t kGatherBytes = 8 << 20;

std::unexpected<Error> fail_in_use(const std::string& name, const std::string& path, const std::string& used) {
  return fail(ErrorCode::conflict, "stream " + name + " cannot begin " + path + ": " + used + " exists");
}

}  // namespace

StreamEnds StreamSetImpl::ends() const {
  StreamEnds ends;
  for (const auto& [name, stream] : streams_) ends.push_back({name, stream.stored_generation, stream.stored_length});
  return ends;
}

Result<void> StreamSetImpl::check_ready() const {
  if (!recovered_) return fail(ErrorCode::conflict, "the streams must be recovered before anything is written");
  if (failed_) return fail(ErrorCode::conflict, "a write failed: the group must be abandoned first");
  return {};
}

// Creates the file of the next generation; the former one is left to the caller.
Result<void> StreamSetImpl::begin(Stream& stream, const std::string& name, const std::string& path,
                                  const std::string& suffix) {
  if (!storable_path(path, root_)) {
    return fail(ErrorCode::config, "stream " + name + ": the path " + path + " is neither absolute nor below " + root_);
  }
  Generation next;
  next.row = {.name = name,
              .generation = stream.next_generation(),
              .kind = stream.kind,
              .state = State::open,
              .path = path,
              .suffix = suffix};
  next.row_changed = true;
  const std::string folder = io::parent_path(path);
  TRY_VOID(files_.make_dirs(folder));
  TRY(next.file, files_.open_append(next.row.open_path()));
  folders_to_sync_.insert(folder);
  synced_ = false;
  stream.live.push_back(std::move(next));
  return {};
}

// Begins the first file of a log, or the one after a file that had to be given up.
Result<void> StreamSetImpl::begin_log(Stream& stream, const std::string& name) {
  const uint32_t generation = stream.next_generation();
  const std::string path = generation == 1 ? stream.base_path : stream.base_path + "." + std::to_string(generation);
  if (files_.exists(path)) {
    TRY(const std::string saved, orphans_.take(path));
    log_warn("store", "{} belongs to no commit; it is kept as {}", path, saved);
    TRY_VOID(orphans_.sync_folders());
  }
  return begin(stream, name, path, {});
}

// Two streams must not share a file, also not after a rename that is still to come.
Result<void> StreamSetImpl::check_unused(const std::string& name, const std::string& path) const {
  for (const auto& [other_name, other] : streams_) {
    for (const Generation& generation : other.live) {
      if (generation.row.path == path) return fail_in_use(name, path, "stream " + other_name + " with this file");
    }
  }
  return {};
}

Result<void> StreamSetImpl::open_stream(const std::string& name, const std::string& path) {
  TRY_VOID(check_ready());
  CADDIS_CHECK(!name.empty() && name.find('\0') == std::string::npos);
  const auto [entry, is_new] = streams_.try_emplace(name);
  Stream& stream = entry->second;
  if (is_new) {
    if (auto unused = check_unused(name, path); !unused) {
      streams_.erase(entry);
      return unused;
    }
    stream.base_path = path;
  } else if (stream.kind != Kind::log || stream.base_path != path) {
    return fail(ErrorCode::conflict, "stream " + name + " was begun " +
                                         (stream.kind == Kind::log ? "as " + stream.base_path : "as a rolled one") +
                                         " and cannot become the log " + path);
  }
  if (stream.current()) return {};
  auto begun = begin_log(stream, name);
  if (!begun && is_new) streams_.erase(entry);
  return begun;
}

Result<void> StreamSetImpl::roll_stream(const std::string& name, const std::string& path,
                                        const std::string& open_suffix) {
  TRY_VOID(check_ready());
  CADDIS_CHECK(!name.empty() && name.find('\0') == std::string::npos);
  for (const std::string& used : {path, path + open_suffix}) {
    if (files_.exists(used)) return fail_in_use(name, path, used);
  }
  TRY_VOID(check_unused(name, path));
  const auto [entry, is_new] = streams_.try_emplace(name);
  Stream& stream = entry->second;
  if (is_new) stream.kind = Kind::rolled;
  if (stream.kind != Kind::rolled) return fail(ErrorCode::conflict, "stream " + name + " is a log and is never rolled");
  const bool had_current = stream.current() != nullptr;
  TRY_VOID(begin(stream, name, path, open_suffix));
  if (had_current) {
    Generation& former = *(stream.live.end() - 2);
    former.closing = former.row_changed = true;
  }
  return {};
}

Result<void> StreamSetImpl::roll_log(const std::string& name) {
  TRY_VOID(check_ready());
  Generation* const current = find(name);
  if (current == nullptr || current->row.kind != Kind::log)
    return fail(ErrorCode::conflict, "stream " + name + " is no log that could be continued in another file");
  Stream& stream = streams_.find(name)->second;
  TRY_VOID(begin_log(stream, name));
  Generation& former = *(stream.live.end() - 2);
  former.closing = former.row_changed = true;
  return {};
}

void StreamSetImpl::release(const std::string& name, uint64_t bytes, uint64_t commits) {
  Stream& stream = streams_.find(name)->second;
  commits_before_removal_ = commits;
  uint64_t end = stream.released;
  stream.to_release = 0;
  for (const StreamRow& row : stream.closed) {
    end += row.length;
    if (end > bytes) break;
    ++stream.to_release;
  }
}

LogParts StreamSetImpl::parts(const std::string& name) const {
  LogParts parts;
  const auto found = streams_.find(name);
  if (found == streams_.end()) return parts;
  const Stream& stream = found->second;
  parts.released = stream.released;
  for (const StreamRow& row : stream.closed) parts.parts.push_back({row.path, row.length});
  for (const Generation& generation : stream.live)
    if (generation.row.state == State::open || generation.row.state == State::closed)
      parts.parts.push_back({generation.row.path, generation.row.length});
  return parts;
}

Result<void> StreamSetImpl::close_stream(const std::string& name) {
  TRY_VOID(check_ready());
  Generation* current = find(name);
  if (current == nullptr || current->row.kind != Kind::rolled) {
    return fail(ErrorCode::conflict, "stream " + name + " has no file that could be closed");
  }
  current->closing = current->row_changed = true;
  synced_ = false;
  return {};
}

Result<StreamPosition> StreamSetImpl::append(const std::string& name, std::string_view bytes) {
  TRY_VOID(check_ready());
  Generation* current = find(name);
  if (current == nullptr) return fail(ErrorCode::conflict, "stream " + name + " has no open file");
  StreamPosition position{current->row.path, current->length};
  synced_ = false;
  if (current->gathered.size() + bytes.size() > kGatherBytes) {
    TRY_VOID(write_out(*current, current->gathered));
    current->gathered.clear();
  }
  if (bytes.size() > kGatherBytes)
    TRY_VOID(write_out(*current, bytes));
  else
    current->gathered.append(bytes);
  current->length += bytes.size();
  return position;
}

Result<void> StreamSetImpl::write_out(Generation& generation, std::string_view bytes) {
  if (bytes.empty()) return {};
  const auto write = [&]() -> Result<void> {
    if (!generation.file) {
      TRY(generation.file, files_.open_append(generation.row.open_path()));
      TRY(const uint64_t size, generation.file->size());
      if (size != generation.row.length) {
        return fail(ErrorCode::conflict, generation.row.open_path() + " has " + std::to_string(size) + " bytes, but " +
                                             std::to_string(generation.row.length) +
                                             " are committed: somebody else writes it");
      }
    }
    generation.touched = generation.needs_sync = true;
    return generation.file->append(bytes);
  };
  auto written = write();
  if (!written) failed_ = true;
  return written;
}

Result<void> StreamSetImpl::sync_file(Generation& generation) {
  if (!generation.needs_sync) return {};
  auto synced = generation.file->sync();
  if (synced)
    generation.needs_sync = false;
  else
    generation.sync_failed = true;
  return synced;
}

// First all writes, so that the disk is busy with the later ones while the first is waited for.
Result<void> StreamSetImpl::sync_all() {
  for (auto& [name, stream] : streams_) {
    for (Generation& generation : stream.live) {
      TRY_VOID(write_out(generation, generation.gathered));
      generation.gathered.clear();
    }
  }
  for (auto& [name, stream] : streams_) {
    for (Generation& generation : stream.live) TRY_VOID(sync_file(generation));
  }
  while (!folders_to_sync_.empty()) {
    TRY_VOID(files_.sync_dir(*folders_to_sync_.begin()));
    folders_to_sync_.erase(folders_to_sync_.begin());
  }
  return {};
}

Result<void> StreamSetImpl::sync() {
  TRY_VOID(check_ready());
  auto synced = sync_all();
  synced_ = synced.has_value();
  failed_ = !synced_;
  return synced;
}

void StreamSetImpl::stage_lengths(Batch& batch) {
  // The one rule of the protocol: nothing of a group reaches the store before its bytes are on disk.
  CADDIS_CHECK(synced_ && !failed_);
  for (const auto& [name, stream] : streams_) {
    for (const Generation& generation : stream.live) {
      if (!generation.row_changed && generation.length == generation.stored_length) continue;
      StreamRow row = generation.row;
      row.length = generation.length;
      if (generation.closing) row.state = State::closed;
      batch.put(family_, stream_key(row), encode_stream_row(row, root_));
    }
    for (size_t i = 0; i < stream.to_release; ++i) {
      StreamRow row = stream.closed[i];
      row.state = State::released;
      batch.put(family_, stream_key(row), encode_stream_row(row, root_));
    }
  }
}

Result<void> StreamSetImpl::committed() {
  CADDIS_CHECK(synced_ && !failed_);
  remove_released();
  for (auto& [name, stream] : streams_) {
    settle_released(stream);
    for (Generation& generation : stream.live) {
      // An archive is not read while it is written, and would push out what is: the store's tables. Pages used again
      // are also cheaper to write to than new ones.
      if (generation.row.kind == Kind::rolled && generation.file && generation.length > generation.row.length)
        generation.file->forget_cached(generation.row.length, generation.length);
      generation.row.length = generation.stored_length = generation.length;
      generation.stored = true;
      generation.row_changed = generation.touched = false;
      if (generation.row.generation >= stream.stored_generation) {
        stream.stored_generation = generation.row.generation;
        stream.stored_length = generation.length;
      }
      if (!generation.closing) continue;
      generation.row.state = State::closed;
      if (!generation.row.suffix.empty()) renamings_.push_back({generation.row.open_path(), generation.row.path});
    }
    for (const Generation& generation : stream.live)
      if (stream.kind == Kind::log && generation.row.state == State::closed) stream.closed.push_back(generation.row);
    std::ranges::sort(stream.closed, {}, &StreamRow::generation);
    std::erase_if(stream.live, [](const Generation& generation) { return generation.row.state != State::open; });
  }
  return finish_renamings();
}

void StreamSetImpl::settle_released(Stream& stream) {
  const auto end = stream.closed.begin() + static_cast<std::ptrdiff_t>(stream.to_release);
  for (auto row = stream.closed.begin(); row != end; ++row) {
    stream.released += row->length;
    removals_.push_back({std::move(row->path), commits_before_removal_});
  }
  stream.closed.erase(stream.closed.begin(), end);
  stream.to_release = 0;
}

// A file that cannot be removed stays until the next start.
void StreamSetImpl::remove_released() {
  std::erase_if(removals_, [this](Removal& removal) {
    if (removal.commits > 0) return --removal.commits, false;
    (void)files_.remove(removal.path);
    return true;
  });
}

Result<void> StreamSetImpl::finish_renamings() {
  while (!renamings_.empty()) {
    const auto& [from, to] = renamings_.front();
    if (files_.exists(from)) {
      if (files_.exists(to)) {
        return fail(ErrorCode::conflict, "cannot rename " + from + ": somebody else has made " + to + "; move it away");
      }
      TRY_VOID(files_.rename(from, to));
    }
    TRY_VOID(files_.sync_dir(io::parent_path(to)));
    renamings_.erase(renamings_.begin());
  }
  return {};
}

Result<void> StreamSetImpl::abandon_failed() {
  failed_ = true;  // until all of this has succeeded
  synced_ = false;
  for (auto& [name, stream] : streams_) {
    TRY_VOID(remove_begun(stream));
    for (Generation& generation : stream.live) {
      if (generation.row.state == State::open) TRY_VOID(cut_back(generation));
    }
    if (stream.kind == Kind::log && !stream.current()) TRY_VOID(begin_log(stream, name));
  }
  failed_ = false;
  return {};
}

// Removes the files begun in the group. What they hold is in the hands of the caller, who writes it again.
Result<void> StreamSetImpl::remove_begun(Stream& stream) {
  while (!stream.live.empty() && !stream.live.back().stored) {
    Generation& begun = stream.live.back();
    begun.file.reset();
    const std::string path = begun.row.open_path();
    if (files_.exists(path)) TRY_VOID(files_.remove(path));
    folders_to_sync_.insert(io::parent_path(path));
    stream.live.pop_back();
  }
  return {};
}

Result<void> StreamSetImpl::cut_back(Generation& generation) {
  generation.gathered.clear();
  generation.length = generation.row.length;
  generation.closing = generation.row_changed = generation.sync_failed;
  if (generation.touched && generation.file) {
    if (auto cut = generation.file->truncate(generation.row.length); !cut) {
      return pass(std::move(cut.error()), "while taking back what is not committed");
    }
    generation.needs_sync = true;
  }
  generation.touched = false;
  if (!generation.sync_failed) return {};
  // Never synced again: a second sync would succeed without the bytes. A tail that comes back is cut by recovery.
  generation.needs_sync = false;
  generation.file.reset();
  return {};
}

Result<std::unique_ptr<StreamSet>> StreamSet::open(io::Files& files, Kv& kv, Family family, std::string orphans,
                                                   std::string root) {
  while (root.size() > 1 && root.back() == '/') root.pop_back();
  std::vector<StreamRow> rows;
  const auto cursor = kv.cursor(family);
  for (cursor->seek(""); cursor->valid(); cursor->next()) {
    TRY(StreamRow row, decode_stream_row(cursor->key(), cursor->value(), root));
    rows.push_back(std::move(row));
  }
  TRY_VOID(cursor->status());
  return std::make_unique<StreamSetImpl>(files, family, std::move(orphans), std::move(root), std::move(rows));
}

}  // namespace caddis::store
