// A file system in RAM with a power switch: the Files of tests and of the simulated world.
//
// Every file and folder has two states: what a program sees, and what a power cut would leave. The rules are those of a
// journaling file system (ext4, XFS) at its worst:
//   * Bytes appended, and cuts by `truncate`, survive for certain only after `File::sync`. Of what was not synced, a
//     random prefix (of the operations in their order, the last one torn at any byte) survives.
//   * Names (created, renamed, linked, removed) survive for certain only after `sync_dir` of their folder; of what was
//     not synced, a random prefix for each folder. A rename is atomic, also between two folders: syncing one of them
//     settles it in both.
//   * Folders made by `make_dirs` are durable when it returns, as with real_files().
//   * A sync that fails loses for good what it should have kept: zeros take its place. A second sync of the same file
//     succeeds, but until the next power cut nothing more of it becomes durable.
//
// After `crash` all open Files and FileLocks of before are dead: their operations fail, their destructors do nothing,
// so the objects of the "killed" process may be dropped at leisure. The same calls with the same Random give the same
// disk, on every machine. All methods may be called from any thread.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "caddis/base/random.h"
#include "caddis/io/files.h"

namespace caddis::io {

class MemoryFiles : public Files {
 public:
  enum class Operation { open, read, append, truncate, sync, sync_dir, make_dirs, rename, link, remove };

  MemoryFiles();
  ~MemoryFiles() override;

  // The power goes, and comes back.
  void crash(Random& random);
  // A disk that lies: the last `bytes` of a file are gone, synced or not.
  Result<void> lose_synced_tail(const std::string& path, uint64_t bytes);

  // Makes the `nth` (from 1) operation of a kind from now on fail, counting only paths that contain `path_part`. An
  // append that fails leaves half of its bytes behind.
  void inject_failure(Operation operation, uint64_t nth = 1, std::string path_part = {});
  // Called before each operation, with the lock of the file system held; an error it gives is the operation's result.
  using Gate = std::function<Result<void>(Operation operation, const std::string& path)>;
  void set_gate(Gate gate);
  // From now on `bytes` may still be written (a file removed and closed takes none); an append on a full disk writes
  // what fits.
  void set_free_space(uint64_t bytes);

  Result<std::unique_ptr<File>> open_read(const std::string& path) override;
  Result<std::unique_ptr<File>> open_append(const std::string& path) override;
  Result<void> make_dirs(const std::string& path) override;
  Result<void> sync_dir(const std::string& path) override;
  Result<std::vector<DirectoryEntry>> list(const std::string& path) override;
  Result<void> rename(const std::string& from, const std::string& to) override;
  Result<void> link(const std::string& from, const std::string& to) override;
  Result<void> remove(const std::string& path) override;
  bool exists(const std::string& path) override;
  bool is_directory(const std::string& path) override;
  Result<uint64_t> free_space(const std::string& path) override;
  Result<std::unique_ptr<FileLock>> lock(const std::string& path, std::string_view note) override;

 private:
  struct Disk;
  class OpenFile;
  class HeldLock;
  std::shared_ptr<Disk> disk_;
};

}  // namespace caddis::io
