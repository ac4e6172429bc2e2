// An output or a part of the state that takes part in every commit: a log, a WARC writer, counters, the frontier.
//
// A participant gathers what it is given between two groups; `stage` hands that over. Its owner tells the committer
// that there is something (Committer::commit_soon). It must outlive the committer. All methods are called on the
// committer's loop.
#pragma once

#include <cstdint>

#include "caddis/base/error.h"

namespace caddis::store {
class StreamSet;
}  // namespace caddis::store

namespace caddis::commit {

class CommitGroup;

// Groups are numbered from 1, anew in each process.
using GroupNumber = uint64_t;

class CommitParticipant {
 public:
  virtual ~CommitParticipant() = default;
  // Declares the logs of the participant. Called once, when it is registered, before anything is written; may block.
  virtual Result<void> open(store::StreamSet& streams) {
    (void)streams;
    return {};
  }
  // A group is put together: adds all that was gathered since the last call.
  virtual void stage(CommitGroup& group) = 0;
  // That group is durable. Not called for a group that is never written, because the process ends.
  virtual void committed(GroupNumber group) { (void)group; }
};

}  // namespace caddis::commit
