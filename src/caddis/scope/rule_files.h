// The files that rules and guards name, as they were read last: so that it is noticed if one of them has changed.
//
// Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/scope/condition.h"

namespace caddis::io {
class Files;
}  // namespace caddis::io

namespace caddis::scope {

class RuleFiles {
 public:
  // `files` must outlive it.
  explicit RuleFiles(io::Files& files) : files_(files) {}

  // Remembers all that it reads; must not outlive the files. It takes whole paths alone.
  ReadFile reader() {
    return [this](const std::string& path) { return read(path); };
  }
  // Remembers nothing: for whoever only looks what rules would say.
  ReadFile onlooker() const {
    return [this](const std::string& path) { return peek(path); };
  }
  bool empty() const;
  // Reads all of them again. Returns those that are others now, that have gone, or that are there again.
  std::vector<std::string> changed() const;

 private:
  Result<std::string> read(const std::string& path);
  Result<std::string> peek(const std::string& path) const;

  io::Files& files_;
  mutable std::mutex mutex_;
  std::map<std::string, uint64_t> read_;  // by path: the hash of what it held, 0 if it could not be read
};

}  // namespace caddis::scope
