// A participant of groups that tells of URLs that the frontier has dropped after it had accepted them, when it has staged
// its changes: whoever counts them does so in the same group.
//
// Belongs to the crawl's loop.
#pragma once

#include "caddis/commit/participant.h"
#include "caddis/crawl/visit_ledger.h"

namespace caddis::crawl {

class DroppedUrls final : public commit::CommitParticipant {
 public:
  // Outlives this.
  void tell_by(VisitLedger& ledger) { ledger_ = &ledger; }
  void stage(commit::CommitGroup& group) override {
    (void)group;
    if (ledger_ != nullptr) ledger_->tell_dropped();
  }

 private:
  VisitLedger* ledger_ = nullptr;
};

}  // namespace caddis::crawl
