// The settings of a crawl: the `crawl` section, and all sections of crawl.yaml together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "caddis/archive/settings.h"
#include "caddis/extract/extract.h"
#include "caddis/fetch/settings.h"
#include "caddis/frontier/quota_settings.h"
#include "caddis/frontier/settings.h"
#include "caddis/io/files.h"
#include "caddis/scope/scope_settings.h"
#include "caddis/settings/schema.h"
#include "caddis/settings/sections.h"
#include "caddis/settings/sheet.h"
#include "caddis/settings/yaml.h"

namespace caddis::crawl {

enum class RobotsChoice { obey, classic, robots_txt_only, ignore, custom, first_named, most_favored };
enum class KeyChoice { caddis, exact, heritrix };
enum class WhenRobotsUnavailable { disallow, allow };
enum class AtLimit { end, pause, block };

struct CrawlSettings {
  std::string name = "crawl";
  std::string contact;
  std::vector<std::string> seeds;
  bool is_private = false;
  RobotsChoice robots = RobotsChoice::obey;
  std::vector<std::string> robots_agents;
  std::vector<std::string> robots_custom;
  WhenRobotsUnavailable robots_unavailable = WhenRobotsUnavailable::disallow;
  KeyChoice crawl_key = KeyChoice::caddis;
  int64_t max_documents = 0;
  int64_t max_bytes = 0;
  int64_t max_novel_bytes = 0;
  int64_t max_warc_bytes = 0;
  Duration max_time{};
  Duration max_silence{};
  Duration max_idle{};
  AtLimit at_limit = AtLimit::end;
  bool run_while_empty = false;
  int64_t max_visits = 0;
  int64_t lanes = 0;
  int64_t memory = 2'000'000'000;
  int64_t seen_memory = 0;
  int64_t hosts_in_memory = 0;
  int64_t min_free_space = 1'000'000'000;
  std::vector<std::string> name_servers;
  std::vector<std::string> hosts;
  Duration robots_validity = std::chrono::hours(24);
  Duration action_interval = std::chrono::seconds(10);
  Duration progress_interval = std::chrono::seconds(20);
  Duration stop_grace = std::chrono::seconds(3);
  Duration checkpoint_interval = std::chrono::hours(6);
  int64_t checkpoints_kept = 3;
  bool checkpoint_at_stop = true;
  bool recovery_log = false;
};

// Everything that crawl.yaml can say.
struct Settings {
  CrawlSettings crawl;
  scope::ScopeSettings scope;
  frontier::PolitenessSettings politeness;
  frontier::OrderSettings frontier;
  frontier::QuotaSettings quota;
  fetch::FetchSettings fetch;
  extract::Options extract;
  archive::ArchiveSettings archive;
  settings::Sheets sheets;  // what counts for parts of the web: effective_settings.h

  settings::Sections sections();
  settings::ConstSections sections() const;
};

// All tables, in the order of crawl.yaml; for `caddis schema`.
std::vector<const settings::Schema*> settings_schemas();

// A file of settings, laid over `into`; its sheets take the place of those there were. What is wrong with a sheet is
// said here, where the file is known.
Result<void> load_settings(std::string_view yaml, std::string_view file_name, Settings& into);
// What `settings_yaml` wrote with Secrets::only, laid over what it wrote without.
Result<void> load_secrets(std::string_view yaml, std::string_view file_name, Settings& into);
// The same of a file that people give or may have changed. ErrorCode::config where it is no settings file: a pipe, a
// device, too large.
Result<void> load_settings_file(io::Files& files, const std::string& path, Settings& into);
std::string settings_yaml(const Settings& settings, settings::Secrets secrets = settings::Secrets::hide);

// What no single row can check: contradictions between settings, templates, patterns; of each sheet, too, as if it
// alone held.
Result<void> validate(const Settings& settings);

// For resuming: the changes if all of them are of live settings, in sheets, too; otherwise an error that names the
// others.
Result<std::vector<settings::Change>> allowed_changes(const Settings& before, const Settings& after);

}  // namespace caddis::crawl

namespace caddis::settings {
template <>
const Schema& schema_of<crawl::CrawlSettings>();
template <>
const Schema& schema_of<extract::Options>();
}  // namespace caddis::settings
