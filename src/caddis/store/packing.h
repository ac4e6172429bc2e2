// The packing of closed files of logs, a little with each commit: `path.gz` takes the place of `path`. Rows say nothing of
// it, and recovery takes either form.
//
// Owned by the set of streams.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/store/file_chores.h"
#include "caddis/store/packed_log.h"

namespace caddis::store {

class Packing {
 public:
  explicit Packing(io::Files& files) : files_(files), chores_(files) {}

  // The logs whose files are packed, from now on and those that are closed already; nobody may read them through the
  // set. What is packed lies there as it was for `commits_kept` more commits, longer than a disk holds back what it
  // says it has written.
  using Logs = std::set<std::string, std::less<>>;
  void follow(Logs logs, uint64_t commits_kept);
  // Packs about so many bytes of what is closed, and removes what is packed; the rest is done at the next start. The last
  // group is durable.
  void finish(uint64_t bytes);

  // A file of a log is closed for good, and committed.
  void closed(const std::string& log, std::string path, uint64_t length);
  // A commit is durable.
  void step();

 private:
  struct Waiting {
    std::string path;
    uint64_t length = 0;
  };
  // Returns false if nothing is left to do.
  bool work(uint64_t bytes);
  bool begin_next();

  io::Files& files_;
  FileChores chores_;
  Logs logs_;
  uint64_t commits_kept_ = 0;
  std::map<std::string, std::deque<Waiting>, std::less<>> waiting_;  // by log
  std::optional<LogPacker> packer_;
};

}  // namespace caddis::store
