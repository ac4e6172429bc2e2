// The folder where recovery puts what it takes away: tails that were cut off and files that nobody knows. Nothing in it
// is ever overwritten or deleted by Caddis. Entries are numbered in the order in which they came, over all starts:
//
//   000007-crawl.log.from-1234       what stood behind byte 1234 of crawl.log
//   000008-A-20260102.warc.gz.open   a whole file
//
// Private to store.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::store {

class Orphans {
 public:
  // The folder is made at the first need.
  Orphans(io::Files& files, std::string folder) : files_(files), folder_(std::move(folder)) {}

  // The path here of what is taken next, and had this name. Nothing is made yet.
  Result<std::string> next_path(std::string_view name);
  static std::string name_of_tail(const std::string& path, uint64_t from);
  // Moves a whole file here, to a path of `next_path`. The move is durable after sync_folders().
  Result<void> take(const std::string& path, const std::string& new_path);
  // The same, to the next path, which is returned.
  Result<std::string> take(const std::string& path);
  // Copies bytes [from, to) of a file to a path of `next_path`, durably.
  Result<void> take_tail(const std::string& path, uint64_t from, uint64_t to, const std::string& copy_path);
  // The names that the files here had before they were moved.
  using Names = std::set<std::string, std::less<>>;
  Result<Names> names() const;
  // Syncs every folder that lost or won a name since the last call.
  Result<void> sync_folders();

 private:
  Result<void> copy(const std::string& path, uint64_t from, uint64_t to, const std::string& copy_path);

  io::Files& files_;
  std::string folder_;
  uint64_t next_ = 0;  // 0: the folder was not looked at yet
  std::set<std::string> to_sync_;
};

}  // namespace caddis::store
