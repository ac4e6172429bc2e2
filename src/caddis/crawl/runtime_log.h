// runtime-errors.log: a line for each visit that failed by a fault of Caddis or of its machine, not of the web: a lane
// that stood still at it, a disk that did not take what was fetched.
//
// Belongs to the crawl's loop.
#pragma once

#include <string>

#include "caddis/commit/participant.h"
#include "caddis/crawl/visit_listeners.h"

namespace caddis::crawl {

class RuntimeLog final : public commit::CommitParticipant, public DispositionListener {
 public:
  explicit RuntimeLog(std::string path) : path_(std::move(path)) {}

  Result<void> open(store::StreamSet& streams) override;
  void stage(commit::CommitGroup& group) override;
  void on_final(visit::VisitResult& result) override;
  void on_retry(const visit::VisitResult& result) override;

 private:
  const std::string path_;
  std::string lines_;
};

}  // namespace caddis::crawl
