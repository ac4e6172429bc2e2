// The part of a participant in one group that is done where blocking is allowed: for outputs that learn only while they
// write where their bytes go (WARC files), or that begin files.
//
// Made on the loop, used by the group's worker, destroyed on the loop.
#pragma once

#include <cstdint>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/store/kv.h"
#include "caddis/store/streams.h"

namespace caddis::commit {

class CommitGroup;

// Where a group is being written to.
class GroupOutput {
 public:
  GroupOutput(store::StreamSet& streams, store::Kv& kv) : streams_(streams), kv_(kv) {}
  GroupOutput(const GroupOutput&) = delete;
  GroupOutput& operator=(const GroupOutput&) = delete;

  store::StreamSet& streams() { return streams_; }
  // Writes rows ahead of the group, durable when it returns: what a start has to know should the process die before the
  // commit. After an error the store is in doubt: nothing more is written.
  Result<void> write_ahead(const store::Batch& batch) {
    auto written = kv_.write(batch, store::Durability::synced);
    store_failed_ |= !written;
    return written;
  }
  bool has_store_failed() const { return store_failed_; }

 private:
  store::StreamSet& streams_;
  store::Kv& kv_;
  bool store_failed_ = false;
};

// The fate of a group that could not be written.
enum class AfterFailure : uint8_t {
  try_again,
  stop,  // the crawl ends; a resumed one fetches again what is not committed
};

class StagedWrite {
 public:
  virtual ~StagedWrite() = default;
  // Appends to streams. Called again, from its beginning, when the group is tried again; nothing that an earlier call
  // appended is in the streams then, and no file that it began is there.
  virtual Result<void> append(GroupOutput& out) {
    (void)out;
    return {};
  }
  // The group could not be written, because this write failed or another. `stream`: the one whose bytes the disk did not
  // take; empty if it was none. Called before everything is as the last commit left it. It may call StreamSet::leave for
  // rolled streams of its own.
  virtual AfterFailure failed(GroupOutput& out, std::string_view stream, const Error& error) {
    (void)out;
    (void)stream;
    (void)error;
    return AfterFailure::try_again;
  }
  // All of the group is synced: adds rows to its batch that tell what `append` has learned. Called once at most.
  virtual void seal(GroupOutput& out, CommitGroup& group) {
    (void)out;
    (void)group;
  }
};

}  // namespace caddis::commit
