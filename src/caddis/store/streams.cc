#include "caddis/store/streams.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caddis/base/check.h"
#include "caddis/base/log.h"

namespace caddis::store {

namespace {

using Kind = StreamRow::Kind;
using State = StreamRow::State;

// A group's bytes are gathered and written at once; more than this is written as it comes.
constexpr size_t kGatherBytes = 8 << 20;

std::unexpected<Error> fail_in_use(StreamId name, const std::string& path, const std::string& used) {
  return fail(ErrorCode::conflict, fmt::format("stream {} cannot begin {}: {} exists", name, path, used));
}

// Two streams must not share a file, also not after a rename that is still to come.
Result<void> check_unused(const std::map<std::string, Stream, std::less<>>& streams, StreamId name,
                          const std::string& path) {
  for (const auto& [other_name, other] : streams) {
    for (const Generation& generation : other.live) {
      if (generation.row.path == path) return fail_in_use(name, path, "stream " + other_name + " with this file");
    }
  }
  return {};
}

// The stream that has begun a file there and has not committed it; empty if none has.
std::string begun_in(const std::map<std::string, Stream, std::less<>>& streams, const std::string& folder) {
  for (const auto& [name, stream] : streams)
    for (const Generation& generation : stream.live)
      if (!generation.stored && io::parent_path(generation.row.path) == folder) return name;
  return {};
}

}  // namespace

StreamSet::StreamSet(io::Files& files, Family family, std::string orphans, std::string root,
                     std::vector<StreamRow> rows)
    : files_(files),
      family_(family),
      orphans_(files, std::move(orphans)),
      root_(std::move(root)),
      rows_(std::move(rows)),
      recovered_(rows_.empty()),
      chores_(files),
      packing_(files) {}

Generation* StreamSet::find(StreamId name) const {
  const auto stream = streams_.find(name);
  return stream == streams_.end() ? nullptr : const_cast<Stream&>(stream->second).current();
}

bool StreamSet::is_taken(const std::string& path, const std::string& open_suffix) const {
  return files_.exists(path) || files_.exists(path + open_suffix);
}

bool StreamSet::has_open(StreamId name) const { return find(name) != nullptr; }

uint64_t StreamSet::length(StreamId name) const {
  const Generation* const current = find(name);
  return current == nullptr ? 0 : current->length;
}

uint64_t StreamSet::committed_length(StreamId name) const {
  const Generation* const current = find(name);
  return current == nullptr ? 0 : current->row.length;
}

std::string StreamSet::path(StreamId name) const {
  const Generation* const current = find(name);
  return current == nullptr ? std::string() : current->row.path;
}

std::vector<std::string> StreamSet::names() const {
  std::vector<std::string> names;
  for (const auto& [name, stream] : streams_) names.push_back(name);
  return names;
}

StreamEnds StreamSet::ends() const {
  StreamEnds ends;
  for (const auto& [name, stream] : streams_) ends.push_back({name, stream.stored_generation, stream.stored_length});
  return ends;
}

Result<void> StreamSet::check_ready() const {
  if (!recovered_) return fail(ErrorCode::conflict, "the streams must be recovered before anything is written");
  if (failed_) return fail(ErrorCode::conflict, "a write failed: the group must be abandoned first");
  return {};
}

// Creates the file of the next generation; the former one is left to the caller.
Result<void> StreamSet::begin(Stream& stream, StreamId name, const std::string& path, const std::string& suffix) {
  if (!storable_path(path, root_)) {
    return fail(ErrorCode::config,
                fmt::format("stream {}: the path {} is neither absolute nor below {}", name, path, root_));
  }
  Generation next;
  next.row = {.name = std::string(name),
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
Result<void> StreamSet::begin_log(Stream& stream, StreamId name) {
  const uint32_t generation = stream.next_generation();
  const std::string path = generation == 1 ? stream.base_path : stream.base_path + "." + std::to_string(generation);
  if (files_.exists(path)) {
    TRY(const std::string saved, orphans_.take(path));
    log_warn("store", "{} belongs to no commit; it is kept as {}", path, saved);
    TRY_VOID(orphans_.sync_folders());
  }
  return begin(stream, name, path, {});
}

Result<void> StreamSet::open_stream(StreamId name, const std::string& path) {
  TRY_VOID(check_ready());
  CADDIS_CHECK(!name.empty() && name.find('\0') == std::string::npos);
  const auto [entry, is_new] = streams_.try_emplace(std::string(name));
  Stream& stream = entry->second;
  if (is_new) {
    if (auto unused = check_unused(streams_, name, path); !unused) {
      streams_.erase(entry);
      return unused;
    }
    stream.base_path = path;
  } else if (stream.kind != Kind::log || stream.base_path != path) {
    const std::string begun_as = stream.kind == Kind::log ? stream.base_path : "a rolled one";
    return fail(ErrorCode::conflict,
                fmt::format("stream {} was begun as {} and cannot become the log {}", name, begun_as, path));
  }
  if (stream.current()) return {};
  auto begun = begin_log(stream, name);
  if (!begun && is_new) streams_.erase(entry);
  return begun;
}

Result<void> StreamSet::roll_stream(StreamId name, const std::string& path, const std::string& open_suffix) {
  TRY_VOID(check_ready());
  CADDIS_CHECK(!name.empty() && name.find('\0') == std::string::npos);
  for (const std::string& used : {path, path + open_suffix}) {
    if (files_.exists(used)) return fail_in_use(name, path, used);
  }
  TRY_VOID(check_unused(streams_, name, path));
  const auto [entry, is_new] = streams_.try_emplace(std::string(name));
  Stream& stream = entry->second;
  if (is_new) stream.kind = Kind::rolled;
  if (stream.kind != Kind::rolled)
    return fail(ErrorCode::conflict, fmt::format("stream {} is a log and is never rolled", name));
  const bool had_current = stream.current() != nullptr;
  TRY_VOID(begin(stream, name, path, open_suffix));
  if (had_current) {
    Generation& former = *(stream.live.end() - 2);
    former.closing = former.row_changed = true;
  }
  return {};
}

Result<void> StreamSet::roll_log(StreamId name) {
  TRY_VOID(check_ready());
  Generation* const current = find(name);
  if (current == nullptr || current->row.kind != Kind::log)
    return fail(ErrorCode::conflict, fmt::format("stream {} is no log that could be continued in another file", name));
  Stream& stream = streams_.find(name)->second;
  TRY_VOID(begin_log(stream, name));
  Generation& former = *(stream.live.end() - 2);
  former.closing = former.row_changed = true;
  return {};
}

void StreamSet::release(StreamId name, uint64_t bytes, uint64_t commits) {
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

LogParts StreamSet::parts(StreamId name) const {
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

Result<void> StreamSet::close_stream(StreamId name) {
  TRY_VOID(check_ready());
  Generation* current = find(name);
  if (current == nullptr || current->row.kind != Kind::rolled) {
    return fail(ErrorCode::conflict, fmt::format("stream {} has no file that could be closed", name));
  }
  current->closing = current->row_changed = true;
  synced_ = false;
  return {};
}

Result<StreamPosition> StreamSet::append(StreamId name, std::string_view bytes) {
  TRY_VOID(check_ready());
  Generation* current = find(name);
  if (current == nullptr) return fail(ErrorCode::conflict, fmt::format("stream {} has no open file", name));
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

Result<void> StreamSet::write_out(Generation& generation, std::string_view bytes) {
  if (bytes.empty()) return {};
  const auto write = [&]() -> Result<void> {
    if (!generation.file) TRY_VOID(generation.open(files_));
    generation.touched = generation.needs_sync = true;
    return generation.file->append(bytes);
  };
  auto written = write();
  if (!written) {
    failed_ = true;
    failed_stream_ = generation.row.name;
  }
  return written;
}

// First all writes, so that the disk is busy with the later ones while the first is waited for.
Result<void> StreamSet::sync() {
  TRY_VOID(check_ready());
  failed_ = true;  // until all of it has succeeded
  synced_ = false;
  for (auto& [name, stream] : streams_) {
    for (Generation& generation : stream.live) {
      TRY_VOID(write_out(generation, generation.gathered));
      generation.gathered.clear();
    }
  }
  for (auto& [name, stream] : streams_) {
    for (Generation& generation : stream.live) {
      auto synced = generation.sync();
      if (synced && generation.touched) {
        synced = generation.check_in_place(files_);
        generation.is_gone = !synced;
      }
      if (!synced) {
        failed_stream_ = name;
        return synced;
      }
    }
  }
  while (!folders_to_sync_.empty()) {
    const std::string& folder = *folders_to_sync_.begin();
    if (auto synced = files_.sync_dir(folder); !synced) {
      failed_stream_ = begun_in(streams_, folder);
      return synced;
    }
    folders_to_sync_.erase(folders_to_sync_.begin());
  }
  failed_ = false;
  synced_ = true;
  return {};
}

void StreamSet::stage_lengths(Batch& batch) {
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

Result<void> StreamSet::committed() {
  CADDIS_CHECK(synced_ && !failed_);
  chores_.count_commit();
  for (auto& [name, stream] : streams_) {
    for (std::string& path : stream.settle_released()) chores_.remove_after(commits_before_removal_, std::move(path));
    for (Generation& generation : stream.live) {
      // An archive is not read while it is written, and would push out what is: the store's tables. Pages used again
      // are also cheaper to write to than new ones.
      if (generation.row.kind == Kind::rolled && generation.file && generation.length > generation.row.length)
        generation.file->forget_cached(generation.row.length, generation.length);
    }
    for (StreamRow& closed : stream.settle()) {
      if (closed.kind == Kind::log) packing_.closed(name, closed.path, closed.length);
      if (!closed.suffix.empty()) chores_.rename(closed.open_path(), std::move(closed.path));
    }
  }
  packing_.step();
  return chores_.finish_renamings();
}

Result<void> StreamSet::abandon_failed() {
  failed_ = true;  // until all of this has succeeded
  failed_stream_.clear();
  synced_ = false;
  for (auto& [name, stream] : streams_)
    if (stream.is_left) stream.abandon_left(files_, folders_to_sync_);
  for (auto& [name, stream] : streams_) {
    if (stream.is_left) continue;
    TRY_VOID(stream.remove_begun(files_, folders_to_sync_));
    for (Generation& generation : stream.live) {
      if (generation.row.state == State::open) TRY_VOID(generation.cut_back());
    }
    if (stream.kind == Kind::log && !stream.current()) TRY_VOID(begin_log(stream, name));
  }
  failed_ = false;
  return {};
}

void StreamSet::leave(StreamId name) {
  const auto found = streams_.find(name);
  CADDIS_CHECK(found != streams_.end() && found->second.kind == Kind::rolled);
  found->second.is_left = true;
}

}  // namespace caddis::store
