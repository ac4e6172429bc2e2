// The archive that `caddis serve` shows at one time: its collections, the rules by which they are seen, and the wayback
// machine over them. When collections come or go, another one takes its place (collection_watch.h). Whoever answers a
// request keeps the one with which it began until the last byte is sent.
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "caddis/aio/network.h"
#include "caddis/base/error.h"
#include "caddis/cdx/broken_lines.h"
#include "caddis/cdxserver/index_folder.h"
#include "caddis/http/server.h"
#include "caddis/replay/aggregate.h"
#include "caddis/replay/collection_pool.h"
#include "caddis/replay/served_rules.h"
#include "caddis/replay/wayback.h"

namespace caddis::cli {

class LiveArchive;
struct ServeOptions;

// Immutable, any thread.
struct ServedArchive {
  std::string base;  // the path below which it stands
  std::shared_ptr<replay::ServedRules> rules;
  std::shared_ptr<const cdx::BrokenLines> broken_lines;  // of all archives that were shown
  std::unique_ptr<replay::Wayback> wayback;
};

// The response, with the archive kept as long as its body needs it.
http::ServerResponse keep_archive(http::ServerResponse response, std::shared_ptr<const ServedArchive> archive);

// The one that is shown now. Any thread.
class CurrentArchive {
 public:
  std::shared_ptr<const ServedArchive> get() const {
    const std::scoped_lock lock(mutex_);
    return archive_;
  }
  void set(std::shared_ptr<const ServedArchive> archive) {
    const std::scoped_lock lock(mutex_);
    archive_ = std::move(archive);
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const ServedArchive> archive_;
};

// Opens archives by the options of `caddis serve`, which outlive it. It blocks; one thread at a time.
class ArchiveOpener {
 public:
  // `at`: where the site listens. `standing` tells of those who are logged in; empty: nobody is.
  ArchiveOpener(const ServeOptions& options, const aio::Endpoint& at, replay::Standing standing);

  // `wanted`: collections, packages and archive files. What of the last archive is the same is taken as it is: open
  // collections, their rules, and what was counted.
  Result<std::shared_ptr<const ServedArchive>> open(const replay::CollectionIdentities& wanted);
  // For the live web beside it. ErrorCode::config if a collection of the archive has its name.
  Result<std::unique_ptr<LiveArchive>> open_live(const ServedArchive& beside) const;
  // The indexes that take lines beside it; null: none.
  cdxserver::IndexFolder* indexes() { return indexes_.get(); }

 private:
  Result<replay::WaybackOptions> wayback_options() const;
  Result<replay::Origins> origins_of(const std::vector<std::string>& collections) const;
  // Makes ready what takes lines, if that is asked for.
  Result<void> open_indexes();
  Result<void> add_index(replay::Collection& collection);
  // Tells once of each group in rules that no user is in.
  void tell_groups_of_nobody(const ServedArchive& archive);

  const ServeOptions& options_;
  const aio::Endpoint at_;
  const std::string secret_;                             // of the keys of captures
  const std::shared_ptr<replay::WaybackMemory> memory_;  // of all of them
  const std::shared_ptr<cdx::BrokenLines> broken_lines_ = std::make_shared<cdx::BrokenLines>();  // of all of them
  replay::CollectionPool pool_;
  replay::AggregateWords words_;
  std::shared_ptr<replay::ServedRules> rules_;  // of the last archive; null: there was none
  std::unique_ptr<cdxserver::IndexFolder> indexes_;
  std::set<std::string> told_groups_;  // behind the path of the file
};

}  // namespace caddis::cli
