// The settings of a crawl that runs, as immutable snapshots. A live change makes another snapshot and puts it in the
// place of the one there was; no field is written that another thread may read. Whoever has taken a snapshot keeps it
// for as long as it needs one and the same answer: a visit, a part of an action file.
#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include "caddis/config/settings.h"
#include "caddis/config/settings_cache.h"
#include "caddis/crawl/memory_shares.h"

namespace caddis::crawl {

struct SettingsSnapshot {
  config::Settings settings;
  MemoryShares memory;                                       // as the settings divide it
  std::shared_ptr<const config::SettingsResolver> resolver;  // of the sheets among them
};

// Settings that `validate` has found sound; `rules` are those of the crawl's scope.
Result<std::shared_ptr<const SettingsSnapshot>> make_snapshot(config::Settings settings, const scope::SiteRules& rules);

class LiveSettings {
 public:
  // Any thread.
  std::shared_ptr<const SettingsSnapshot> snapshot() const {
    const std::lock_guard lock(mutex_);
    return snapshot_;
  }
  // The present ones, until `replace`. For the crawl's loop, which alone calls that.
  const config::Settings& now() const { return snapshot_->settings; }
  const MemoryShares& memory() const { return snapshot_->memory; }
  void replace(std::shared_ptr<const SettingsSnapshot> snapshot) {
    const std::lock_guard lock(mutex_);
    snapshot_ = std::move(snapshot);
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const SettingsSnapshot> snapshot_;
};

}  // namespace caddis::crawl
