// alerts.log: the warnings and errors of the process, in the form that Heritrix's has:
//
//   Jan 02, 2026 3:04:05 AM caddis.commit
//   WARNING: the disk is full
//
// They come from any thread, and stand in the log with the next group.
//
// Belongs to the crawl's loop.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/log_tap.h"
#include "caddis/commit/participant.h"

namespace caddis::crawl {

// "WARNING", "SEVERE": as java.util.logging names it.
std::string_view java_level(LogLevel level);

class AlertLog final : public commit::CommitParticipant {
 public:
  // The clock outlives it.
  AlertLog(std::string path, const Clock& clock);

  Result<void> open(store::StreamSet& streams) override;
  void stage(commit::CommitGroup& group) override;

 private:
  const std::string path_;
  const Clock& clock_;
  std::mutex mutex_;
  std::string lines_;
  LogTap tap_;  // last: it ends first
};

}  // namespace caddis::crawl
