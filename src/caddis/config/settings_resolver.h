// The sheets of a crawl and the effective settings they compose to. Settings are composed once for each set of sheets
// that turns up; after that, reading a setting is reading a field.
//
// Sheets with times count if they held when the resolver was made: another is made when one begins or ends to hold.
//
// One resolver serves all threads. Each thread asks through a cache of its own (settings_cache.h), since a first
// look-up of a set takes a lock.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/config/effective_settings.h"
#include "caddis/config/settings.h"
#include "caddis/frontier/host_rules.h"
#include "caddis/scope/rules.h"
#include "caddis/scope/sheet_times.h"
#include "caddis/scope/sheets.h"

namespace caddis::config {

// `fetch.proxy` of the settings, and as each of their sheets would have it.
std::vector<std::string> proxies_named_by(const Settings& settings);

class SettingsResolver {
 public:
  // Takes settings that `validate` has found sound, and the rules of the crawl's scope.
  static Result<std::shared_ptr<const SettingsResolver>> create(const Settings& settings, const scope::SiteRules& rules,
                                                                WallTime now,
                                                                const scope::ReadFile& read = scope::read_rule_file);

  // Returns the sheets that hold then, if they are others than those that count here; by number.
  std::optional<std::vector<size_t>> others_at(WallTime moment) const;
  // The sheets that count here, by number.
  const std::vector<size_t>& in_force() const { return in_force_; }

  // The rules of the scope where no sheet says otherwise.
  const scope::SiteRules& rules() const { return *rules_; }
  // Null if there are no sheets.
  const scope::Sheets* sheets() const { return sheets_.get(); }
  // The settings where no sheet holds.
  const EffectiveSettings& of_crawl() const { return *of_crawl_; }
  // Lives as long as the resolver. Any thread.
  const EffectiveSettings& of(const scope::SheetSet& set) const;
  // For the frontier: the most that sheets ask for, and the sheets that speak of quotas or retire hosts, as YAML.
  const frontier::RulesSummary& reach() const { return reach_; }
  const std::string& quotas() const { return quotas_; }

  // The logs that lanes write lines of; the same everywhere.
  const LinkLogs& link_logs() const { return link_logs_; }

  struct SheetSetHash {
    size_t operator()(const scope::SheetSet& set) const {
      return size_t{set.group} * 0x9E3779B97F4A7C15u ^ set.matched;
    }
  };

 private:
  SettingsResolver(const Settings& settings, scope::SheetTimes times, WallTime now);
  std::unique_ptr<const EffectiveSettings> compose(const std::vector<size_t>& members) const;

  Settings base_;            // without what may be long and is the same everywhere
  scope::SheetTimes times_;  // by number of the sheet
  std::vector<size_t> in_force_;
  settings::Sheets written_;  // the sheets in force
  std::unique_ptr<const scope::Sheets> sheets_;
  std::shared_ptr<const scope::SiteRules> rules_;
  std::shared_ptr<const scope::Countries> countries_;   // null if the settings name no file of them
  GuardBook guards_;                                    // of the crawl and of all sheets
  std::map<size_t, scope::SiteRules> rules_of_sheets_;  // by number of the sheet, if it changes the scope
  std::unique_ptr<const EffectiveSettings> of_crawl_;
  frontier::RulesSummary reach_;
  LinkLogs link_logs_;
  std::string quotas_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<scope::SheetSet, std::unique_ptr<const EffectiveSettings>, SheetSetHash> composed_;
};

}  // namespace caddis::config
