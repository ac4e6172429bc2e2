// outlinks.jsonl: a line for each link of a page whose visits are over, as the visit made it (docs/formats/outlinks.md).
//
// Belongs to the crawl's loop.
#pragma once

#include <string>

#include "caddis/commit/participant.h"
#include "caddis/crawl/visit_listeners.h"

namespace caddis::crawl {

class OutlinkLog final : public commit::CommitParticipant, public DispositionListener {
 public:
  explicit OutlinkLog(std::string path) : path_(std::move(path)) {}

  Result<void> open(store::StreamSet& streams) override;
  void stage(commit::CommitGroup& group) override;
  void on_final(visit::VisitResult& result) override;

 private:
  const std::string path_;
  std::string lines_;
};

}  // namespace caddis::crawl
