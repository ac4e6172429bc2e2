// Commits in groups, of one second or four megabytes, whichever is first, what its participants have gathered. A group
// is never dropped: what cannot be written waits, and whoever feeds the participants with it (README.md).
//
//   TRY_VOID(committer.add(log));               // in the order in which they stage
//   nursery.spawn(committer.run());
//   log.add(line); committer.commit_soon(line.size());
//   committer.close();                          // ends `run` after a last group
//
// Belongs to one loop; only the writing of a group runs elsewhere (aio::Blocking).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "caddis/aio/blocking.h"
#include "caddis/aio/event.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/commit/commit_group.h"
#include "caddis/commit/group_writer.h"
#include "caddis/commit/participant.h"

namespace caddis::commit {

class Committer {
 public:
  Committer(aio::Loop& loop, aio::Blocking& blocking, store::StreamSet& streams, store::Kv& kv)
      : loop_(loop), blocking_(blocking), writer_(streams, kv), wake_(loop), answered_(loop) {}

  // Registers a participant and opens its streams. To be called before `run`.
  Result<void> add(CommitParticipant& participant);
  // A participant has been given something: the group that holds it is written within a second, and sooner if much has
  // been gathered. `memory`: bytes that wait with it.
  void commit_soon(uint64_t memory = 0);

  // Waits until all that participants have been given until now is on disk, and has it written at once. ErrorCode::io if
  // it cannot be written at present, or the crawl ended before.
  aio::Task<Result<void>> write_now();

  // Calls `prepare` on the loop when a group is put together that closes files, and then, when that group is on disk
  // and before anything else is written, the work it returned, where blocking is allowed. One after the other.
  // ErrorCode::conflict if the crawl is ending.
  using Work = std::function<Result<void>()>;
  aio::Task<Result<void>> at_commit(std::function<Work()> prepare);

  // Writes groups until `close` has been called and all is on disk (or cannot be).
  aio::Task<void> run();
  // Ends `run` after a last group, which closes files.
  void close();
  // Commits nothing more, since a participant holds half of something: what is committed stays, `run` ends,
  // and the crawl has to be resumed.
  void fail(const Error& error);

  // Bytes that are not on disk yet.
  uint64_t backlog() const { return gathered_.memory + writing_memory_; }
  // Why groups cannot be written at present; empty while they can.
  const std::string& trouble() const { return trouble_; }
  // The state on disk or in memory is in doubt.
  bool is_fatal() const { return phase_ == Phase::failed; }
  bool committed_everything() const { return ended_ && phase_ == Phase::closing; }
  GroupNumber groups() const { return groups_; }
  // The group in which all is committed that participants are given now: when `groups` has come to its number.
  GroupNumber present_group() const { return present_group_; }
  // Called on the loop after every commit and every trouble.
  void on_change(std::function<void()> call) { on_change_ = std::move(call); }

 private:
  static constexpr Duration kLongest = std::chrono::seconds(1);
  static constexpr uint64_t kLargest = 4 << 20;
  static constexpr Duration kRetry = std::chrono::seconds(2);

  // Somebody waits for a group to be committed, to do something before the next.
  struct Request {
    std::function<Work()> prepare;
    Work work = nullptr;
    Result<void> outcome = {};
    bool done = false;
  };

  enum class Phase : uint8_t {
    running,
    closing,
    gave_up,  // while closing: the last group could not be written
    failed,
  };
  // All that participants have been given since the last group.
  struct Gathered {
    std::optional<SteadyTime> since;
    uint64_t memory = 0;
    bool is_awaited = false;
  };

  bool is_asked() const { return request_ && !request_->done; }
  bool is_due() const;
  CommitGroup put_together();
  aio::Task<void> commit(CommitGroup group);
  void report_trouble(const GroupWriter::Outcome& outcome);
  aio::Task<void> answer();

  aio::Loop& loop_;
  aio::Blocking& blocking_;
  GroupWriter writer_;
  std::vector<CommitParticipant*> participants_;
  aio::Event wake_, answered_;
  std::optional<Request> request_;
  Gathered gathered_;
  uint64_t writing_memory_ = 0;
  GroupNumber groups_ = 0, present_group_ = 1;
  std::string trouble_;
  Phase phase_ = Phase::running;
  bool ended_ = false;  // `run`
  std::function<void()> on_change_;
};

}  // namespace caddis::commit
