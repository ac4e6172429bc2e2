// Looks again and again for harvests whose date has come, and has each generated on a worker of its own, so that a large
// snapshot keeps nobody waiting. It also ends jobs that nobody hears of any more, and copies an embedded database.
//
// One loop; `look_soon` and `stop` may be called by any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "caddis/aio/blocking.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/nursery.h"
#include "caddis/aio/task.h"
#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/harvest/generator.h"
#include "caddis/harvestserver/backups.h"
#include "caddis/harvestserver/parts.h"

namespace caddis::harvestserver {

class Scheduler {
 public:
  // All of it must outlive the scheduler. `backups`: a folder for copies of the database.
  Scheduler(aio::Loop& loop, aio::Blocking& workers, const Parts& parts, std::string backups);

  // Until it is stopped; then waits for what is being generated.
  aio::Task<void> run();
  void stop() { stops_ = true; }
  // Something may have become due.
  void look_soon() { looks_soon_ = true; }

 private:
  aio::Task<void> look();
  aio::Task<void> generate(int64_t definition);
  void count(const Result<std::optional<harvest::Generated>>& generated, Duration took);
  void look_after_jobs();

  aio::Loop& loop_;
  aio::Blocking& workers_;
  const Parts& parts_;
  Backups backups_;
  const harvest::Generator generator_;
  std::set<int64_t> generating_;
  std::optional<int64_t> answers_since_;  // the time from which on this server and its database have answered
  std::atomic<bool> stops_ = false, looks_soon_ = false;
  aio::Nursery nursery_;
};

}  // namespace caddis::harvestserver
