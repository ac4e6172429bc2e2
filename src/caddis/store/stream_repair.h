// Mends the rows of streams whose files hold less than is committed of them: what is missing is asked for no more. All
// streams may go back to a place where nothing is missing; a file may be cut to what is whole of it, or given up.
//
//   TRY(auto repair, StreamRepair::open(files, kv, family, orphans, root));
//   repair.shorter() … repair.go_back(place) … repair.cut(path, length) …       // nothing is changed yet
//   TRY_VOID(repair.move_aside());
//   repair.stage(batch);                                                         // and the batch is written, synced
//
// Afterwards the files differ from their rows as after any death (StreamSet::inspect). Dying between the two last steps
// is safe: a file that was moved aside counts as one that the disk has lost, and leads to the same plan.
//
// Nobody else may have the streams at work meanwhile.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/store/kv.h"
#include "caddis/store/orphans.h"
#include "caddis/store/stream_recovery.h"
#include "caddis/store/streams.h"

namespace caddis::store {

class StreamRepair {
 public:
  // The arguments of StreamSet::open.
  static Result<StreamRepair> open(io::Files& files, Kv& kv, Family family, std::string orphans, std::string root);

  // Files that hold less than is committed, as far as nothing has been decided about them.
  Result<std::vector<ShortFile>> shorter() const;
  // The place in `places` (what StreamSet::ends gave at former commits, the oldest first) that all streams have to go
  // back to: the last one up to which nothing is missing, or the first if there is none. Nothing if that helps nobody:
  // what is missing lies in files that were closed before all of them.
  std::optional<size_t> place_to_go(const std::vector<StreamEnds>& places) const;
  void go_back(const StreamEnds& place);
  // The file is closed at that length, from its beginning; 0: it is given up.
  void cut(const std::string& path, uint64_t length);
  // A log as it is after all that.
  LogParts parts(StreamId log) const;

  // Files that are given up, as far as they are there, become orphans.
  Result<void> move_aside();
  void stage(Batch& batch) const;

 private:
  struct File {
    StreamRow row;  // as it is to be
    StreamRow stored;
    FoundFile found;
  };
  StreamRepair(io::Files& files, Family family, std::string orphans, std::string root)
      : files_(files), family_(family), orphans_(files, std::move(orphans)), root_(std::move(root)) {}
  bool is_whole(const std::vector<StreamEnds>& places, size_t place) const;
  void give_up(File& file);

  io::Files& files_;
  Family family_;
  Orphans orphans_;
  std::string root_;
  std::vector<File> known_;
  std::vector<std::string> aside_;
};

}  // namespace caddis::store
