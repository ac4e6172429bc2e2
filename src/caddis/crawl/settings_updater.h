// Puts settings in the place of those with which a crawl runs: those that an operator wants, those that sheets with
// times ask for when they begin or end to hold, and those whose files of rules have changed.
//
// Visits that have begun go on with the snapshot that they have (settings_snapshot.h). Belongs to the crawl's loop.
#pragma once

#include <string>
#include <vector>

#include "caddis/aio/task.h"
#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/config/settings.h"
#include "caddis/crawl/seed_scan.h"
#include "caddis/scope/rules.h"

namespace caddis::crawl {

struct CrawlParts;
struct CrawlState;
struct World;

class SettingsUpdater {
 public:
  // All of it must outlive the updater.
  SettingsUpdater(const World& world, CrawlState& state, CrawlParts& parts);

  // Makes known what the rules of such settings ask of the seeds: with millions of them that takes seconds, in which
  // the crawl goes on. Whoever calls `apply` without it holds the loop for as long.
  aio::Task<Result<void>> prepare(const config::Settings& wanted);
  // Looks up the proxies that such settings name, while the crawl goes on. ErrorCode::config if one cannot be found.
  aio::Task<Result<void>> find_proxies(const config::Settings& wanted);
  SeedScan& seeds() { return seeds_; }
  // Settings that `validate` has found sound count from now on, and in the next process. `rereads_rules`: files that
  // rules of the scope name are read again, though the rules are the same.
  Result<void> apply(config::Settings wanted, bool rereads_rules);
  // To be called every second: sheets begin and end to hold as the wall clock says, also if it jumps.
  void tick();
  // Whether it is time to look at the files that rules name.
  bool is_reread_due() const;
  // Looks if they have changed: then the rules count as they are now. If they cannot be used, those there were stay.
  aio::Task<void> reread();

 private:
  // The rules of the scope as they are wanted, and how they and the sheets look for seeds.
  struct WantedRules {
    scope::SiteRules rules;
    std::vector<scope::ScopeKind> kinds;
  };
  Result<WantedRules> read_rules(const config::Settings& wanted, bool changed, const scope::ReadFile& reader) const;
  Result<scope::SiteRules> rules_for(const config::Settings& wanted, bool changed);
  // The effects of a change beside the values that are read where they are needed.
  struct Reach {
    bool scope = false;      // URLs that wait are to be asked about again
    bool addresses = false;  // where may be connected to
  };
  Result<void> replace(config::Settings wanted, const scope::SiteRules& rules, Reach reach);
  Result<void> reread_rules();
  void hand_over(const std::vector<size_t>& sheets);

  const World& world_;
  CrawlState& state_;
  CrawlParts& parts_;
  SeedScan seeds_;
  SteadyTime retry_{};  // after a hand-over that failed
  SteadyTime looked_;   // at the files of rules
  bool is_rereading_ = false;
};

}  // namespace caddis::crawl
