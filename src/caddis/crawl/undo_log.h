// Puts into each group the row with which it can be taken back (repair/group_undo.h), and lets go of the row of the oldest.
// Registered behind the log of the seen-set, whose rows stand in it, too.
//
// Belongs to the crawl's loop; the row is made by the group's worker.
#pragma once

#include <cstdint>

#include "caddis/commit/participant.h"
#include "caddis/crawl/visit_listeners.h"
#include "caddis/repair/group_undo.h"

namespace caddis::crawl {

// The groups whose rows are kept, by number: [first, next), at most `most`. Groups are of a second each or of 4 MB:
// what they hold is more than any disk or machine holds back.
struct UndoRange {
  uint64_t first = 1, next = 1, most = 64;
};

class UndoLog final : public commit::CommitParticipant, public DispositionListener {
 public:
  explicit UndoLog(const UndoRange& range) : range_(range) {}

  void stage(commit::CommitGroup& group) override;
  void on_final(visit::VisitResult& result) override;

 private:
  UndoRange range_;
  repair::UndoEntries entries_;
};

}  // namespace caddis::crawl
