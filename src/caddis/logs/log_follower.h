// A log that grows: what is new of it, line by line, whenever somebody asks. It goes on in the next file when the log
// does. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::logs {

class LogFollower {
 public:
  // `log` is the path of the first file; reading begins at `offset` of the file `part`, which is one of its files.
  LogFollower(io::Files& files, std::string log, std::string part, uint64_t offset)
      : files_(files), log_(std::move(log)), part_(std::move(part)), offset_(offset) {}

  // Gives each whole line that is there and was not given. Returns false if there was none. A file that has become
  // shorter, since a recovery has cut it, goes on at its end.
  Result<bool> read(const std::function<void(std::string_view line)>& use);

 private:
  Result<bool> read_part(const std::function<void(std::string_view line)>& use);
  Result<bool> read_packed(const std::string& path, const std::function<void(std::string_view line)>& use);

  io::Files& files_;
  const std::string log_;
  std::string part_;
  uint64_t offset_;
  std::string rest_;  // a line that has no end yet
};

}  // namespace caddis::logs
