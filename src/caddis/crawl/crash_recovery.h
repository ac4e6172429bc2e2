// Crash recovery, the first thing that is done with a crawl that is resumed: its files are brought in line with its
// state after an ordinary death. What no death does is refused here, and mended by a repair (repair/repair.h). What a
// repair has left to be visited again is queued when the crawl is open.
//
//   CrashRecovery recovery(state, groups_kept, notices);
//   TRY(const auto plan, recovery.inspect());                 // before the streams are opened
//   TRY_VOID(recovery.apply(plan, is_rolled_back));           // unless plan.needs_repair()
//   … open streams, frontier and outputs …
//   TRY_VOID(recovery.queue_lost(path, intake));
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/crawl/undo_log.h"
#include "caddis/repair/group_undo.h"
#include "caddis/store/streams.h"

namespace caddis::crawl {

class UrlIntake;
struct CommitPath;
struct CrawlState;

class CrashRecovery {
 public:
  // The store and the streams of the state are there. `groups_kept`: so many of the latest groups have their rows.
  // State and notices must outlive this.
  CrashRecovery(CrawlState& state, uint64_t groups_kept, std::vector<std::string>& notices)
      : state_(state), notices_(notices) {
    groups_.most = groups_kept;
  }

  Result<store::StreamPlan> inspect() const;
  // `is_rolled_back`: the state is that of a checkpoint, and whatever is newer is no loss.
  Result<void> apply(const store::StreamPlan& plan, bool is_rolled_back);
  // Queues with the next group what a repair has left to be visited again, and tells its losses.
  Result<void> queue_lost(CommitPath& path, UrlIntake& intake);

  // The groups whose rows are kept.
  const UndoRange& groups() const { return groups_; }

 private:
  Result<void> read_range();
  Result<void> queue_groups(uint64_t first, CommitPath& path, UrlIntake& intake);
  Result<void> queue_again(const repair::UndoEntry& visit, CommitPath& path, UrlIntake& intake);

  CrawlState& state_;
  std::vector<std::string>& notices_;
  UndoRange groups_;
};

}  // namespace caddis::crawl
