// Bytes of unknown length: in memory up to a limit, what is beyond in a temporary file. HTTP bodies are recorded into
// it.
//
//   Spool spool(folder, 256 * 1024);
//   spool.append(bytes) ...
//   if (spool.in_memory()) use(spool.memory_view());
//   else spool.for_each([&](std::string_view chunk) { return writer.append(chunk); });
//
// The memory of all spools of a folder together is bounded, too: where none is left, a spool goes on in its file from
// where it is. What is in memory are the first bytes of a spool, and those never leave it. The file's name is removed
// as soon as it is open: nothing is left behind, whatever ends the process. Not thread-safe; a moved-from Spool may
// only be destroyed or assigned to.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/io/byte_buffer.h"
#include "caddis/io/files.h"
#include "caddis/io/memory_budget.h"

namespace caddis::io {

class SpoolFile;

// Where temporary files are made; outlives its Spools. Any thread.
//
// A disk has to hold twice what is spooled, since it is copied into the archive; so a spool of many megabytes stops
// growing while there is still room for the other half, instead of filling the disk for everybody.
class SpoolFolder {
 public:
  // `path` is made at the first need. One process at a time uses a folder. `memory`: bytes that its spools may hold
  // together; beyond it a spool has Spool::kAlways at most.
  SpoolFolder(Files& files, std::string path, uint64_t memory = UINT64_MAX)
      : files_(files), path_(std::move(path)), memory_(std::make_shared<MemoryBudget>(memory)) {}
  // A new empty file without a name.
  Result<std::unique_ptr<SpoolFile>> temporary_file();
  // So much of the disk is to stay free: who spools while it is less may have half of it, to come to an end.
  void keep_free(uint64_t bytes) { keep_free_ = bytes; }
  // What its spools hold of `memory`.
  uint64_t memory_used() const { return memory_->used(); }

 private:
  friend class Spool;
  friend class SpoolFile;
  Result<void> look_for_room(uint64_t held) const;
  // ErrorCode::limit where a file that holds `held` bytes is itself too large for the disk, ErrorCode::no_space where
  // it finds the disk full.
  Error no_room(uint64_t held, uint64_t free) const;

  Files& files_;
  std::string path_;
  std::shared_ptr<MemoryBudget> memory_;  // shared with what is left of spools
  std::atomic<uint64_t> next_ = 0;
  std::atomic<uint64_t> keep_free_ = 0;
  std::atomic<uint64_t> held_ = 0;  // bytes in all files
};

// A file of a spool, counted in its folder as long as it lives.
class SpoolFile {
 public:
  SpoolFile(SpoolFolder& folder, std::unique_ptr<File> file) : folder_(folder), file_(std::move(file)) {}
  ~SpoolFile() { folder_.held_ -= held_; }
  SpoolFile(const SpoolFile&) = delete;
  SpoolFile& operator=(const SpoolFile&) = delete;

  // ErrorCode::limit: the bytes of this file are more than the disk, or a limit of the process, has room for.
  // ErrorCode::no_space: others have filled the disk.
  Result<void> append(std::string_view bytes);
  const File& file() const { return *file_; }

 private:
  SpoolFolder& folder_;
  std::unique_ptr<File> file_;
  uint64_t held_ = 0, looked_at_ = 0;
};

class Spool {
 public:
  // Bytes that a spool may always have in memory, whatever others have: a head, or a small body, needs no file.
  static constexpr size_t kAlways = 4 * 1024;

  Spool(SpoolFolder& folder, size_t memory_limit)
      : folder_(&folder), memory_limit_(memory_limit), grant_(folder.memory_) {}

  // Room for `bytes` (a Content-Length: not believed beyond the memory limit), to spare copies.
  void reserve(uint64_t bytes);
  // Errors as SpoolFile::append. After one the bytes before stay readable; nothing more can be appended until `clear`.
  Result<void> append(std::string_view bytes) {
    if (size_ == memory_.size() && bytes.size() <= memory_.capacity() - memory_.size()) [[likely]] {
      memory_.append(bytes);
      size_ += bytes.size();
      return {};
    }
    return append_beyond(bytes);
  }
  uint64_t size() const { return size_; }
  bool in_memory() const { return size_ == memory_.size(); }
  // All bytes while in_memory(), else the first of them. Valid until the next append or clear.
  std::string_view memory_view() const { return memory_.view(); }
  // Free room in memory, behind the last byte, that bytes may be read into; never beyond the memory limit. `filled`
  // makes the first `count` bytes of it part of the spool.
  std::span<char> room() { return size_ == memory_.size() ? memory_.room() : std::span<char>(); }
  void filled(size_t count) {
    memory_.filled(count);
    size_ += count;
  }
  // As File::read_at.
  Result<size_t> read_at(uint64_t offset, char* buffer, size_t size) const;
  // All bytes from `from` on, in pieces; the first error of `sink` ends it.
  Result<void> for_each(const std::function<Result<void>(std::string_view)>& sink, uint64_t from = 0) const;
  // Only bytes that surely fit: ErrorCode::limit where there are more than `limit`.
  Result<std::string> to_string(uint64_t limit) const;
  // Empty again; memory is kept for the next use, the file is given up.
  void clear();

 private:
  Result<void> append_beyond(std::string_view bytes);
  // More capacity for memory_, at best `wanted`: as much as there is to have.
  void grow(size_t wanted);
  Result<void> write_out();

  SpoolFolder* folder_;
  size_t memory_limit_;
  uint64_t size_ = 0;  // memory_ + in_file_ + tail_
  ByteBuffer memory_;  // the first bytes; its capacity is at most memory_limit_, and granted beyond kAlways
  MemoryGrant grant_;  // for memory_ and tail_
  std::unique_ptr<SpoolFile> file_;
  uint64_t in_file_ = 0;  // bytes in file_, behind those in memory
  std::string tail_;      // bytes not yet in file_, behind those: many small appends make one write
  bool gathers_ = false;  // there is memory for them
  bool failed_ = false;
};

}  // namespace caddis::io
