// The checkpoints of a crawl that runs: asked for, taken from time to time and at the end, removed when there are too
// many. One is taken between two groups, while the crawl goes on.
//
// Belongs to the crawl's loop; checkpoints are written where blocking is allowed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "caddis/aio/task.h"
#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/crawl/checkpoint.h"

namespace caddis::aio {
class Blocking;
class Loop;
}  // namespace caddis::aio

namespace caddis::cookies {
class CookieJar;
}  // namespace caddis::cookies

namespace caddis::commit {
class Committer;
}  // namespace caddis::commit

namespace caddis::crawl {

class Lifecycle;
class EventLog;
struct CrawlState;

class Checkpointer {
 public:
  // All of it must outlive the checkpointer.
  Checkpointer(aio::Loop& loop, aio::Blocking& blocking, CrawlState& state, const Lifecycle& lifecycle,
               commit::Committer& committer, const cookies::CookieJar& cookies, EventLog& log)
      : loop_(loop),
        blocking_(blocking),
        state_(state),
        lifecycle_(lifecycle),
        committer_(committer),
        cookies_(cookies),
        log_(log) {}

  // The crawl begins to run: from now on intervals count.
  void begin();
  // Takes a checkpoint under a name, which is kept for ever, or under an automatic one. ErrorCode::conflict if there is
  // one of that name, or the crawl is ending.
  aio::Task<Result<Checkpoint>> take(std::string name);
  // Whether the next automatic one is to be taken: by `take_due`.
  bool is_due() const;
  aio::Task<void> take_due();
  // When all groups are committed, and nobody writes any more.
  aio::Task<void> take_last();

 private:
  Checkpoint describe(const std::string& name) const;
  void add_lengths(Checkpoint& made) const;
  Result<void> write(Checkpoint& made);
  bool is_as_at_last() const;
  aio::Task<void> remove_old();

  aio::Loop& loop_;
  aio::Blocking& blocking_;
  CrawlState& state_;
  const Lifecycle& lifecycle_;
  commit::Committer& committer_;
  const cookies::CookieJar& cookies_;
  EventLog& log_;
  bool is_taking_ = false;
  SteadyTime last_{};             // when it was taken, or the crawl began
  uint64_t bytes_at_last_ = 0;    // received
  uint64_t actions_at_last_ = 0;  // of operators
};

// The usable checkpoints of a launch, the oldest first. One that was never completed is removed, since it is links and
// copies only. `notices` tell of that, and of what cannot be used.
Result<std::vector<Checkpoint>> usable_checkpoints(io::Files& files, const collection::Launch& launch,
                                                   std::vector<std::string>& notices);

}  // namespace caddis::crawl
