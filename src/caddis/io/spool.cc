#include "caddis/io/spool.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace caddis::io {

namespace {
constexpr size_t kWriteStep = 64 * 1024;  // small appends are gathered to this much
// A disk that has no room for less is full, which others notice, too; for more it is asked, and so often.
constexpr uint64_t kLarge = 16 << 20;
constexpr uint64_t kLookStep = 1 << 20;
constexpr size_t kReadStep = 256 * 1024;
constexpr size_t kKeptByClear = 256 * 1024;  // more capacity than this is given back
}  // namespace

Result<std::unique_ptr<SpoolFile>> SpoolFolder::temporary_file() {
  TRY_VOID(files_.make_dirs(path_));
  const std::string name = join_path(path_, "spool-" + std::to_string(next_++));
  TRY(auto file, files_.open_append(name));
  TRY_VOID(file->truncate(0));
  TRY_VOID(files_.remove(name));
  return std::make_unique<SpoolFile>(*this, std::move(file));
}

Error SpoolFolder::no_room(uint64_t held, uint64_t free) const {
  const uint64_t kept = keep_free_, all = held_;
  // Without this file the disk would have room, and nobody else takes more of it: it cannot be kept, however often it
  // is tried.
  const bool is_own_fault = held >= kLarge && free + held >= kept && held >= all - std::min(all, held);
  const std::string room =
      fmt::format("{} received, and {} free on the disk, of which {} are to stay free", held, free, kept);
  if (is_own_fault) return Error{ErrorCode::limit, "too large for the disk: it takes twice its size; " + room};
  return Error{ErrorCode::no_space, "the disk is full: " + room};
}

Result<void> SpoolFolder::look_for_room(uint64_t held) const {
  const auto free = files_.free_space(path_);
  if (!free || *free >= held + keep_free_ / 2) return {};
  return std::unexpected(no_room(held, *free));
}

Result<void> SpoolFile::append(std::string_view bytes) {
  if (held_ >= kLarge && held_ >= looked_at_ + kLookStep) {
    looked_at_ = held_;
    TRY_VOID(folder_.look_for_room(held_));
  }
  if (auto written = file_->append(bytes); !written) {
    Error error = std::move(written).error();
    if (error.code == ErrorCode::no_space) error.code = folder_.no_room(held_, 0).code;
    return std::unexpected(std::move(error));
  }
  held_ += bytes.size();
  folder_.held_ += bytes.size();
  return {};
}

void Spool::reserve(uint64_t bytes) {
  if (size_ == memory_.size()) grow(static_cast<size_t>(std::min<uint64_t>(bytes, memory_limit_)));
}

void Spool::grow(size_t wanted) {
  wanted = std::min(wanted, memory_limit_);
  const size_t capacity = memory_.capacity();
  if (wanted <= capacity) return;
  const size_t always = std::min(memory_limit_, kAlways);
  const size_t granted = std::max(capacity, always);
  if (wanted <= granted || grant_.grow(wanted - granted))
    memory_.reserve(wanted);
  else
    memory_.reserve(always);
}

Result<void> Spool::append_beyond(std::string_view bytes) {
  if (failed_) return fail(ErrorCode::io, "nothing more can be spooled: an earlier write to the temporary file failed");
  if (size_ == memory_.size()) {
    const size_t needed = memory_.size() + bytes.size();
    grow(std::max(2 * memory_.capacity(), needed));
    grow(needed);  // where there is not so much to have
    const size_t fits = std::min(bytes.size(), memory_.capacity() - memory_.size());
    memory_.append(bytes.substr(0, fits));
    size_ += fits;
    bytes.remove_prefix(fits);
    if (bytes.empty()) return {};
    gathers_ = grant_.grow(2 * kWriteStep);
  }
  tail_.append(bytes);
  size_ += bytes.size();
  return gathers_ && tail_.size() < kWriteStep ? Result<void>() : write_out();
}

Result<void> Spool::write_out() {
  const auto write = [&]() -> Result<void> {
    if (!file_) {
      TRY(file_, folder_->temporary_file());
    }
    return file_->append(tail_);
  };
  if (auto written = write(); !written) {
    failed_ = true;  // the tail stays in memory, so all bytes up to here can still be read
    return pass(std::move(written.error()), "while spooling a body to disk");
  }
  in_file_ += tail_.size();
  if (gathers_)
    tail_.clear();
  else
    std::string().swap(tail_);
  return {};
}

Result<size_t> Spool::read_at(uint64_t offset, char* buffer, size_t size) const {
  const size_t wanted = offset < size_ ? static_cast<size_t>(std::min<uint64_t>(size, size_ - offset)) : 0;
  size_t filled = 0;
  while (filled < wanted) {
    const uint64_t at = offset + filled;
    const auto take = [&](std::string_view part, uint64_t from) {
      const size_t count = std::min<size_t>(wanted - filled, part.size() - from);
      std::memcpy(buffer + filled, part.data() + from, count);
      filled += count;
    };
    if (at < memory_.size()) {
      take(memory_.view(), at);
    } else if (at < memory_.size() + in_file_) {
      const uint64_t in_file = at - memory_.size();
      const size_t count = static_cast<size_t>(std::min<uint64_t>(wanted - filled, in_file_ - in_file));
      TRY(const size_t got, file_->file().read_at(in_file, buffer + filled, count));
      if (got != count) return fail(ErrorCode::corrupt, "a temporary file has lost bytes it was given");
      filled += got;
    } else {
      take(tail_, at - memory_.size() - in_file_);
    }
  }
  return filled;
}

Result<void> Spool::for_each(const std::function<Result<void>(std::string_view)>& sink, uint64_t from) const {
  if (from < memory_.size()) {
    TRY_VOID(sink(memory_.view().substr(from)));
    from = memory_.size();
  }
  if (from >= size_) return {};
  std::string buffer(static_cast<size_t>(std::min<uint64_t>(kReadStep, size_ - from)), '\0');
  while (from < size_) {
    TRY(const size_t got, read_at(from, buffer.data(), buffer.size()));
    TRY_VOID(sink(std::string_view(buffer).substr(0, got)));
    from += got;
  }
  return {};
}

Result<std::string> Spool::to_string(uint64_t limit) const {
  if (size_ > limit) {
    return fail(ErrorCode::limit, "a body of " + std::to_string(size_) + " bytes is more than the " +
                                      std::to_string(limit) + " that may be held in memory here");
  }
  std::string bytes(static_cast<size_t>(size_), '\0');
  TRY(const size_t got, read_at(0, bytes.data(), bytes.size()));
  bytes.resize(got);
  return bytes;
}

void Spool::clear() {
  // What it keeps is still granted.
  if (memory_.capacity() > kKeptByClear || gathers_) {
    memory_ = ByteBuffer();
    grant_.release();
  }
  memory_.clear();
  std::string().swap(tail_);
  gathers_ = false;
  file_.reset();
  size_ = in_file_ = 0;
  failed_ = false;
}

}  // namespace caddis::io
