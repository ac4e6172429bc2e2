// crawl.log: a line for each URL whose visits are over, or that was deleted while it waited
// (docs/formats/crawl-log.md).
//
// Belongs to the crawl's loop.
#pragma once

#include <string>

#include "caddis/commit/participant.h"
#include "caddis/crawl/visit_listeners.h"

namespace caddis::crawl {

class CrawlLog final : public commit::CommitParticipant, public DispositionListener {
 public:
  explicit CrawlLog(std::string path) : path_(std::move(path)) {}

  Result<void> open(store::StreamSet& streams) override;
  void stage(commit::CommitGroup& group) override;
  void on_final(visit::VisitResult& result) override;
  void on_deleted(const visit::LoggedVisit& record) override;

 private:
  const std::string path_;
  std::string lines_;
};

}  // namespace caddis::crawl
