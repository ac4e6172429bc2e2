// nonfatal-errors.log: a line for each try that failed and will be repeated, and why.
//
// Belongs to the crawl's loop.
#pragma once

#include <string>

#include "caddis/commit/participant.h"
#include "caddis/crawl/visit_listeners.h"

namespace caddis::crawl {

class ErrorLog final : public commit::CommitParticipant, public DispositionListener {
 public:
  explicit ErrorLog(std::string path) : path_(std::move(path)) {}

  Result<void> open(store::StreamSet& streams) override;
  void stage(commit::CommitGroup& group) override;
  void on_final(visit::VisitResult& result) override { (void)result; }
  void on_retry(const visit::VisitResult& result) override;

 private:
  const std::string path_;
  std::string lines_;
};

}  // namespace caddis::crawl
