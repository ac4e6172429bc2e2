// The only door to the file system. Everything above gets a Files& so that tests and the simulated world own the disk:
// `real_files()` is POSIX, `MemoryFiles` (memory_files.h) forgets at a simulated power cut whatever was not synced.
//
// Durability is explicit, as on a real disk: appended bytes survive only after `File::sync`, and a new, renamed or
// removed name only after `Files::sync_dir` of its folder.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::io {

// An open file. One writer at a time; `read_at` may be called from any thread while nobody writes below its range.
class File {
 public:
  virtual ~File() = default;
  // Reads up to `size` bytes at `offset`; fewer only at the end of the file, 0 at or after it.
  virtual Result<size_t> read_at(uint64_t offset, char* buffer, size_t size) const = 0;
  // The same where it need not wait for the disk. Otherwise false, and the disk begins to read: whoever wants many
  // places asks for all in this way first, so that they are read at the same time. True only where all was read.
  virtual Result<bool> read_at_once(uint64_t offset, char* buffer, size_t size) const {
    auto got = read_at(offset, buffer, size);
    if (!got) return std::unexpected(std::move(got).error());
    return *got == size;
  }
  // Appends all of `bytes` at the end of the file.
  virtual Result<void> append(std::string_view bytes) = 0;
  // fdatasync: bytes appended before survive a power cut. After a failure the file must not be trusted or synced again.
  virtual Result<void> sync() = 0;
  // Bytes that are synced and that nobody reads soon: they need not stay in the system's memory. Only a hint.
  virtual void forget_cached(uint64_t /*begin*/, uint64_t /*end*/) {}
  virtual Result<void> truncate(uint64_t size) = 0;
  virtual Result<uint64_t> size() const = 0;
};

struct DirectoryEntry {
  std::string name;
  bool is_directory = false;
  uint64_t size = 0;
  bool is_link = false;  // a symbolic one; the others are of what it names
};

// Held as long as the object lives; released by the system when the process dies.
class FileLock {
 public:
  virtual ~FileLock() = default;
};

// All methods may be called from any thread. Paths are absolute or relative to the working folder.
class Files {
 public:
  virtual ~Files() = default;
  virtual Result<std::unique_ptr<File>> open_read(const std::string& path) = 0;
  // The same for a file that somebody else may have put there. ErrorCode::unsupported where it is a symbolic link,
  // which may name what only this process may read, or no regular file, which may keep its reader waiting.
  virtual Result<std::unique_ptr<File>> open_read_foreign(const std::string& path) { return open_read(path); }
  // Opens for appending; creates the file where it is not there.
  virtual Result<std::unique_ptr<File>> open_append(const std::string& path) = 0;
  // The same; a file that this creates, only its owner may read.
  virtual Result<std::unique_ptr<File>> open_append_private(const std::string& path) { return open_append(path); }
  // From now on, in this process, what is made as `folder` or below it only its owner may read (modes 700 and 600);
  // what is there already is made so. Paths are compared as they are written. An error if some of it is not
  // ours.
  virtual Result<void> keep_private(const std::string& /*folder*/) { return {}; }
  // Makes the folder and those above it, where they are not there; they are durable when it returns.
  virtual Result<void> make_dirs(const std::string& path) = 0;
  virtual Result<void> sync_dir(const std::string& path) = 0;
  // Sorted by name, without "." and "..".
  virtual Result<std::vector<DirectoryEntry>> list(const std::string& path) = 0;
  // Replaces `to` atomically where it exists.
  virtual Result<void> rename(const std::string& from, const std::string& to) = 0;
  virtual Result<void> link(const std::string& from, const std::string& to) = 0;
  // A file, or an empty folder. A file that is open stays readable and writable until it is closed.
  virtual Result<void> remove(const std::string& path) = 0;
  virtual bool exists(const std::string& path) = 0;
  virtual bool is_directory(const std::string& path) = 0;
  // Bytes that may still be written on the file system that holds `path`.
  virtual Result<uint64_t> free_space(const std::string& path) = 0;
  // An exclusive lock on a file (created where needed), with `note` written into it; ErrorCode::conflict, naming the
  // holder's note, where another process or object holds it.
  virtual Result<std::unique_ptr<FileLock>> lock(const std::string& path, std::string_view note) = 0;

  // The whole file; ErrorCode::limit where it is larger than `limit`.
  Result<std::string> read_all(const std::string& path, uint64_t limit = 1ULL << 30);
  // Replaces the file atomically and durably: temporary file, sync, rename, sync of the folder.
  Result<void> write_atomically(const std::string& path, std::string_view bytes);
  // The same with a file that only its owner may read, from its first moment.
  Result<void> write_atomically_private(const std::string& path, std::string_view bytes);
};

// The operating system's files.
Files& real_files();

// "a/b" and "c" give "a/b/c".
std::string join_path(std::string_view folder, std::string_view name);
// "a/b/c" gives "a/b"; "c" gives ".".
std::string parent_path(std::string_view path);
// "a/b/c" gives "c".
std::string_view base_name(std::string_view path);

}  // namespace caddis::io
