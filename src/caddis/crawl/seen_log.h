// The log of the seen-set, and the row that names its runs: every fingerprint is in the log by the group in which it
// was new (docs/formats/seen.md). The log goes on in one file after another; those that runs have held for long enough
// are let go.
//
// Belongs to the crawl's loop, as the seen-set does.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "caddis/commit/participant.h"
#include "caddis/crawl/visit_listeners.h"
#include "caddis/store/seen.h"

namespace caddis::crawl {

class SeenLog final : public commit::CommitParticipant, public ScheduleListener {
 public:
  // `commits_kept`: a file that is let go stays for so many commits, longer than a disk holds anything back.
  SeenLog(std::string path, store::SeenSet& seen, uint64_t commits_kept)
      : path_(std::move(path)), seen_(seen), commits_kept_(commits_kept) {}

  Result<void> open(store::StreamSet& streams) override;
  void stage(commit::CommitGroup& group) override;
  void committed(commit::GroupNumber group) override;
  void on_new(std::span<const uint64_t> fingerprints) override;

 private:
  const std::string path_;
  store::SeenSet& seen_;
  const uint64_t commits_kept_;
  std::string rows_;
};

}  // namespace caddis::crawl
