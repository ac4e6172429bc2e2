// Looks for collections and packages that come into the folder of `caddis serve`, or go from it, and has the archive
// shown anew with them. Those that stay are not opened again; a folder that takes the place of another one is.
// One that is new is shown when it looks the same in two looks and can be opened, so that none is shown half made; one that
// cannot be opened is told in the log, and the others are shown all the same. If two looks find none at all, none is shown; a
// folder that cannot be read changes nothing.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "caddis/aio/blocking.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"
#include "caddis/base/clock.h"
#include "caddis/io/files.h"
#include "served_archive.h"

namespace caddis::cli {

class CollectionWatch {
 public:
  using Identities = replay::CollectionIdentities;

  // All of it outlives the watch. `folder` is that of collections, and `current` shows those that `shown` names.
  CollectionWatch(io::Files& files, const Clock& clock, std::string folder, ArchiveOpener& opener,
                  CurrentArchive& current, Identities shown);
  // Looks once, and shows what has changed. Any thread; it blocks.
  void look();
  // Shows a collection of the folder at once: it is known to be whole. The same. ErrorCode::io if it cannot be shown, which
  // the log tells more of.
  Result<void> show_at_once(const std::string& name);

 private:
  // `whole`: the path of one that need not rest; empty: none.
  void look_locked(const std::string& whole);
  bool can_be_opened(const std::string& path);
  void show(const Identities& wanted);
  bool try_to_show(const Identities& wanted);
  void tell(const std::string& problem);

  io::Files& files_;
  const Clock& clock_;
  const std::string folder_;
  std::mutex mutex_;
  ArchiveOpener& opener_;
  CurrentArchive& current_;
  Identities shown_;
  Identities failed_;  // could not be shown
  SteadyTime again_{};
  std::map<std::string, std::string> last_;  // by path, how it looked in the last look
  bool was_empty_ = false;                   // there was nothing to show in the last look
  std::set<std::string> told_;
};

// Whether it has collections that may come and go: no collection itself, and no file.
bool is_folder_of_collections(io::Files& files, const std::string& path);

// Looks every two seconds, until somebody asks to stop.
aio::Task<void> watch_collections(aio::Loop& loop, aio::Blocking& workers, CollectionWatch& watch);

}  // namespace caddis::cli
