// Which names the system's hosts file has anything to say of. A crawl asks for millions of names, and of hardly any of
// them: so the file is not read for each. Not thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include "caddis/base/clock.h"
#include "caddis/io/files.h"

namespace caddis::dns {

class HostsFile {
 public:
  // What is written there counts from a minute later on at the latest.
  static constexpr Duration kHolds = std::chrono::minutes(1);

  HostsFile(io::Files& files, std::string path) : files_(files), path_(std::move(path)) {}
  // In any case of letters. A file that cannot be read names nothing.
  bool names(std::string_view host, SteadyTime now);

 private:
  void read();

  io::Files& files_;
  std::string path_;
  bool was_read_ = false;
  SteadyTime read_at_{};
  std::unordered_set<std::string> names_;  // in lower case
};

}  // namespace caddis::dns
