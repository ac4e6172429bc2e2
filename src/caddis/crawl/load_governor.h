// How much at once the machine can take: the number of visits in flight, the memory of the process, room on the disk.
//
// Belongs to the crawl's loop.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "caddis/aio/process_use.h"
#include "caddis/base/clock.h"
#include "caddis/crawl/settings_snapshot.h"
#include "caddis/crawl/visits_limit.h"

namespace caddis::io {
class Files;
}  // namespace caddis::io

namespace caddis::crawl {

class LoadGovernor {
 public:
  // How often `observe` is to be called.
  static constexpr Duration kTick = std::chrono::seconds(1);

  // The disks of `collection` (also those that hold its archive and its crawls) and of the folders that the archive's
  // settings name are watched. `use` may be null: then memory and processor are not known. Files and settings must
  // outlive it.
  LoadGovernor(io::Files& files, std::string collection, const LiveSettings& settings,
               std::function<aio::ProcessUse()> use)
      : files_(files), collection_(std::move(collection)), settings_(settings), use_of_process_(std::move(use)) {}

  // Once when the settings are known, and whenever limits.max-visits has changed.
  void set_max_visits(int64_t visits) { visits_limit_ = VisitsLimit(static_cast<uint64_t>(visits)); }
  uint64_t max_visits() const { return visits_limit_.now(); }
  // Visits wait because there are as many as `max_visits`, or as memory allows.
  void note_limit_reached() { limit_was_reached_ = true; }

  // The loop comes `late` to its tick. `backlog`: bytes of finished visits that are not on disk yet; `lanes`: threads
  // at work.
  void observe(Duration late, uint64_t backlog, size_t lanes);
  // Beyond it only so many visits go on that the crawl does not stand still.
  bool has_memory() const { return use_.memory < static_cast<uint64_t>(settings_.now().memory.total); }

  // Bytes of the process at the last look; 0: not known.
  uint64_t memory_used() const { return use_.memory; }

  // Whether processors idle that the crawl could use: neither it nor the machine has had much to do lately.
  bool has_idle_processors() const { return has_idle_processors_; }

  // Once a second, and at the start.
  void check_disk();
  bool is_disk_low() const { return !low_.empty(); }

 private:
  std::vector<std::string> written_folders() const;

  io::Files& files_;
  const std::string collection_;
  const LiveSettings& settings_;
  const std::function<aio::ProcessUse()> use_of_process_;
  VisitsLimit visits_limit_{0};
  bool limit_was_reached_ = false;
  aio::ProcessUse use_;  // at the last look
  bool has_idle_processors_ = false;
  std::string low_;  // a folder on a disk with too little room; empty if there is none
};

}  // namespace caddis::crawl
