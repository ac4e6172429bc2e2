// Work that is left to do with files of streams once a commit is durable: closed ones get their final names, released ones
// are removed some commits later. Private to store.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::store {

class FileChores {
 public:
  explicit FileChores(io::Files& files) : files_(files) {}

  void rename(std::string from, std::string to) { renamings_.push_back({std::move(from), std::move(to)}); }
  // `commits`: calls of `count_commit` until then.
  void remove_after(uint64_t commits, std::string path) { removals_.push_back({std::move(path), commits}); }
  // A commit is durable. A file that cannot be removed stays until the next start.
  void count_commit();
  // Removes all of those now.
  void remove_now();
  // Renames what is to be renamed. What could not be is tried again with the next call.
  Result<void> finish_renamings();

 private:
  struct Renaming {
    std::string from, to;
  };
  struct Removal {
    std::string path;
    uint64_t commits;
  };
  Result<void> finish(const Renaming& renaming);

  io::Files& files_;
  std::vector<Renaming> renamings_;
  std::vector<Removal> removals_;
};

}  // namespace caddis::store
