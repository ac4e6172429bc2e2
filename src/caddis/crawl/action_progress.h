// How far each file of the action directory was applied: a row of the state, in the same group as what was applied of
// the file (docs/formats/action.md).
//
// Belongs to the crawl's loop.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/commit/participant.h"
#include "caddis/store/kv.h"

namespace caddis::crawl {

struct ActionProgress {
  uint64_t pass = 0;   // of a recovery log: 0 for what it finished, then 1 for the rest; of a script 1 when it
                       // has begun, 2 when it has ended; of other files 0
  uint64_t lines = 0;  // of the pass
  uint64_t taken = 0, known = 0, outside = 0;
  bool done = false;
  uint64_t over_budget = 0;  // the last in the row, and only if there are some: older ones lack it
};
std::string write_action_progress(const ActionProgress& progress);
// ErrorCode::corrupt if it is no such row.
Result<ActionProgress> read_action_progress(std::string_view row);

class ActionProgressRows final : public commit::CommitParticipant {
 public:
  void put(std::string_view file, const ActionProgress& progress);
  void erase(std::string_view file);

  void stage(commit::CommitGroup& group) override;

 private:
  store::Batch rows_;
};

}  // namespace caddis::crawl
