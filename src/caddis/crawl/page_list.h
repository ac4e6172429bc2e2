// The page list of a launch: a JSON line for each page, as the visit made it (docs/formats/crawl-log.md).
//
// Belongs to the crawl's loop.
#pragma once

#include <string>

#include "caddis/commit/participant.h"
#include "caddis/crawl/visit_listeners.h"

namespace caddis::crawl {

class PageList final : public commit::CommitParticipant, public DispositionListener {
 public:
  explicit PageList(std::string path) : path_(std::move(path)) {}

  Result<void> open(store::StreamSet& streams) override;
  void stage(commit::CommitGroup& group) override;
  void on_final(visit::VisitResult& result) override;

 private:
  const std::string path_;
  std::string lines_;
};

}  // namespace caddis::crawl
