// Puts a group on disk (docs/architecture.md, "The commit protocol"): append to all streams → sync → one synced batch.
// The key-value store learns nothing of a group before its bytes are on disk.
//
// Owned by the committer; used on a thread that may block, one group at a time.
#pragma once

#include <cstdint>

#include "caddis/base/error.h"
#include "caddis/commit/commit_group.h"
#include "caddis/store/kv.h"
#include "caddis/store/streams.h"

namespace caddis::commit {

class GroupWriter {
 public:
  GroupWriter(store::StreamSet& streams, store::Kv& kv) : streams_(streams), kv_(kv) {}

  store::StreamSet& streams() { return streams_; }

  // The end of an attempt to write a group.
  enum class Fate : uint8_t {
    committed,
    try_again,  // nothing of it is on disk; the same group may be written again
    unknown,    // the store failed while writing: only dying and recovering tells
    stop,       // nothing of it is on disk, and it is not to be written again
  };
  struct Outcome {
    Fate fate = Fate::committed;
    Error error;
  };
  Outcome write(CommitGroup& group);

 private:
  static AfterFailure tell(const CommitGroup& group, GroupOutput& out, const Error& error);
  Result<void> append_all(const CommitGroup& group, GroupOutput& out);

  store::StreamSet& streams_;
  store::Kv& kv_;
};

}  // namespace caddis::commit
