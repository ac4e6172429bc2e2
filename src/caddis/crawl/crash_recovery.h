// Crash recovery, the first thing that is done with a crawl that is resumed: its files are brought in line with its
// state. If the disk has lost bytes that it had said were safe, the latest groups are taken back, and what they had
// captured is queued again.
//
//   CrashRecovery recovery(state, groups_kept, notices);
//   TRY_VOID(recovery.recover(missing, is_rolled_back));      // before the streams are opened
//   … open streams, frontier and outputs …
//   TRY_VOID(recovery.queue_lost(path, intake));
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/crawl/group_undo.h"
#include "caddis/crawl/launch_options.h"
#include "caddis/crawl/undo_log.h"
#include "caddis/store/streams.h"

namespace caddis::collection {
struct Launch;
}

namespace caddis::crawl {

class UrlIntake;
struct CommitPath;
struct CrawlState;

// ErrorCode::config if files are missing about which nobody has said what became of them. Only WARC files are kept
// elsewhere.
Result<void> refuse_missing(const collection::Launch& launch, const std::vector<store::MissingFile>& missing,
                            MissingFiles what);
// Whether it is a file of the log of known URLs.
bool is_seen_log(const collection::Launch& launch, const std::string& path);

class CrashRecovery {
 public:
  // The store and the streams of the state are there. `groups_kept`: so many of the latest groups have their rows.
  // State and notices must outlive this.
  CrashRecovery(CrawlState& state, uint64_t groups_kept, std::vector<std::string>& notices)
      : state_(state), notices_(notices) {
    groups_.most = groups_kept;
  }

  // `is_rolled_back`: the state is that of a checkpoint, and whatever is newer is no loss.
  Result<void> recover(MissingFiles missing, bool is_rolled_back);
  // Puts losses on record, and queues lost captures again, with the next group.
  Result<void> queue_lost(CommitPath& path, UrlIntake& intake);

  // The groups whose rows are kept.
  const UndoRange& groups() const { return groups_; }
  // The log of known URLs has lost rows that lie further back than these groups.
  bool is_seen_torn() const { return lost_.is_seen_torn; }
  // One more loss, for the notices and the report of the crawl.
  void add_report(const std::string& report);

 private:
  struct LostPart {
    using Captures = std::vector<std::pair<uint64_t, std::string>>;  // offset, URL
    store::RecoveryReport::Cut part;
    Captures captures;
  };
  using LostParts = std::map<std::string, LostPart>;  // by the names of the WARC files
  // Losses of the disk, until they are queued again.
  struct Lost {
    std::vector<std::pair<uint64_t, GroupUndo>> groups;   // taken back
    std::vector<std::string> urls;                        // of captures that lay further back
    std::vector<std::pair<std::string, uint64_t>> files;  // of those: name, and up to where it is whole
    std::vector<std::string> reports;
    size_t told_before = 0;  // reports by a process that died before it committed anything
    bool is_seen_torn = false;
  };

  bool is_archive(const store::MissingFile& file) const;
  Result<std::vector<store::MissingFile>> give_up_missing(MissingFiles what);
  Result<std::vector<std::pair<uint64_t, GroupUndo>>> read_groups();
  void report(const store::RecoveryReport& report, bool is_rolled_back);
  Result<void> cut_torn(const store::RecoveryReport::Cut& lost);
  Result<void> find_lost_captures(LostParts parts);
  Result<void> take_lost_captures(const std::string& name, const store::RecoveryReport::Cut& lost,
                                  LostPart::Captures captures);
  std::string loss_row(size_t report) const;
  Result<size_t> loss_rows_of_next_group();
  Result<void> queue_again(const UndoEntry& visit, CommitPath& path, UrlIntake& intake);

  CrawlState& state_;
  std::vector<std::string>& notices_;
  UndoRange groups_;
  Lost lost_;
};

}  // namespace caddis::crawl
