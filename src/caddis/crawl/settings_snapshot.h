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
#include "caddis/scope/rule_files.h"

namespace caddis::crawl {

struct SettingsSnapshot {
  config::Settings settings;
  config::KeyPolicies keys;
  MemoryShares memory;                                       // as the settings divide it
  std::shared_ptr<const config::SettingsResolver> resolver;  // of the sheets among them
};

// Settings that `validate` has found sound; `rules` are those of the crawl's scope. Of sheets with times those count
// that hold now.
Result<std::shared_ptr<const SettingsSnapshot>> make_snapshot(config::Settings settings, const scope::SiteRules& rules,
                                                              WallTime now,
                                                              const scope::ReadFile& read = scope::read_rule_file);

class LiveSettings {
 public:
  // `files`: the disk with the files that rules and guards name. It must outlive the settings.
  explicit LiveSettings(io::Files& files) : rule_files_(files) {}

  // Any thread.
  std::shared_ptr<const SettingsSnapshot> snapshot() const {
    const std::lock_guard lock(mutex_);
    return snapshot_;
  }
  // The present ones, until `replace`. For the crawl's loop, which alone calls that.
  const config::Settings& now() const { return snapshot_->settings; }
  const config::KeyPolicies& keys() const { return snapshot_->keys; }
  const MemoryShares& memory() const { return snapshot_->memory; }
  void replace(std::shared_ptr<const SettingsSnapshot> snapshot) {
    const std::lock_guard lock(mutex_);
    snapshot_ = std::move(snapshot);
  }
  // The files from which rules and guards were made. Any thread.
  scope::RuleFiles& rule_files() { return rule_files_; }
  const scope::RuleFiles& rule_files() const { return rule_files_; }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const SettingsSnapshot> snapshot_;
  scope::RuleFiles rule_files_;
};

}  // namespace caddis::crawl
