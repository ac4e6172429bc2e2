// The audit log: a JSON line for each change and each log-in (docs/formats/audit.md). Strangers cannot fill the disk
// with it: of what is refused, so many lines a minute are written, and the next one says how many were left out.
//
// Any thread; `write` blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/io/files.h"

namespace caddis::access {

struct AuditEntry {
  WallTime time;
  std::string who;   // empty: nobody who is known
  std::string from;  // an address
  std::string what;  // "POST /api/jobs", "log-in"
  std::string how;   // "session", "token", "basic", "digest", "password"; empty: not at all
  int status = 0;    // of the answer
  std::string note;  // why it was refused; may be empty
};

class AuditLog {
 public:
  // A file of over 64 MB is moved to `path`.1. An empty path: nothing is written.
  AuditLog(io::Files& files, std::string path) : files_(files), path_(std::move(path)) {}
  void write(const AuditEntry& entry);

 private:
  bool is_one_too_many(const AuditEntry& entry);
  Result<void> append(std::string_view line);

  io::Files& files_;
  const std::string path_;
  std::mutex mutex_;  // guards what follows
  std::unique_ptr<io::File> file_;
  WallTime minute_{};
  uint64_t refused_ = 0, left_out_ = 0;
};

}  // namespace caddis::access
