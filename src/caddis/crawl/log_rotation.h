// Lets logs go on in another file (crawl.log, crawl.log.2, …) when they are large, when a day begins, or behind
// a checkpoint; and has files packed that are closed (settings `logs`). It stages before those logs: a new file begins
// with a line of its group.
//
// Belongs to the crawl's loop.
#pragma once

#include <cstdint>
#include <string>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/commit/participant.h"
#include "caddis/config/log_settings.h"

namespace caddis::store {
class Kv;
}  // namespace caddis::store

namespace caddis::crawl {

class LogRotation final : public commit::CommitParticipant {
 public:
  // Clock and settings, those of the moment, outlive it. `commits_kept`: a file that was packed stays for so many
  // commits.
  LogRotation(const Clock& clock, const config::LogSettings& settings, uint64_t commits_kept)
      : clock_(clock), settings_(settings), commits_kept_(commits_kept) {}

  // The day in which the last line was written.
  Result<void> load(store::Kv& kv);

  void stage(commit::CommitGroup& group) override;

 private:
  class Write;

  const Clock& clock_;
  const config::LogSettings& settings_;
  const uint64_t commits_kept_;
  std::string day_;      // "20260102"; empty: none yet
  bool is_due_ = false;  // behind a checkpoint
};

}  // namespace caddis::crawl
