// Heritrix's recovery log, frontier.recover.gz: what was queued, and what became of it (docs/formats/recovery-log.md).
// Each group is a gzip member of its own, so that what a death leaves can be read to its last byte.
//
// Belongs to the crawl's loop; compressed by the group's worker.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "caddis/commit/participant.h"
#include "caddis/crawl/recovery_line.h"
#include "caddis/crawl/visit_listeners.h"

namespace caddis::crawl {

class RecoveryLog final : public commit::CommitParticipant, public DispositionListener, public ScheduleListener {
 public:
  explicit RecoveryLog(std::string path) : path_(std::move(path)) {}

  Result<void> open(store::StreamSet& streams) override;
  void stage(commit::CommitGroup& group) override;
  void on_final(visit::VisitResult& result) override;
  void on_retry(const visit::VisitResult& result) override;
  void on_deleted(const visit::LoggedVisit& record) override;
  void on_offered(std::span<const frontier::ScheduledUrl> urls) override;
  void on_new(std::span<const uint64_t> fingerprints) override;
  void on_known(std::span<const KnownUrl> urls) override;

 private:
  // A URL that is queued if the frontier takes it.
  struct Offered {
    uint64_t fingerprint;
    bool force;
    std::string line;
  };
  void add(RecoveryLine::Event event, const visit::VisitResult& result);

  const std::string path_;
  std::string lines_;
  std::vector<Offered> offered_;
};

}  // namespace caddis::crawl
