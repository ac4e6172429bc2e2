// The settings of a harvest server: harvest.yaml in its folder, which need not be there (docs/harvesting.md).
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "caddis/alerts/alert_settings.h"
#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/harvest/expectation.h"
#include "caddis/harvest/generator.h"
#include "caddis/io/files.h"
#include "caddis/settings/schema.h"

namespace caddis::harvestserver {

struct HarvestSettings {
  std::string contact;
  std::string organization = "archive.invalid";
  Duration check_interval = std::chrono::seconds(10);
  Duration max_silence = std::chrono::minutes(30);
  Duration max_idle = std::chrono::minutes(30);
  Duration job_timeout = std::chrono::hours(24 * 7);
  Duration lost_after = std::chrono::minutes(30);
  Duration alias_validity = std::chrono::hours(24 * 365);
  bool wait_for_harvesters = true;
  Duration backup_interval = std::chrono::hours(24);
  int64_t backups_kept = 7;
  int64_t earlier_jobs = 200;
  std::string shared;
  std::vector<std::string> replicas;
  std::string replica_keys;
  Duration check_files = std::chrono::hours(24 * 90);
  std::string address;
  int64_t low_disk = 2'000'000'000;
};

struct SplittingSettings {
  harvest::Formula formula = harvest::Formula::netarchivesuite;
  int64_t piece = 10'000;
  int64_t max_configurations = 10'000;
  int64_t max_total_size = 8'000'000;
  int64_t max_relative_difference = 100;
  int64_t min_absolute_difference = 2'000;
  bool by_object_limit = false;
  int64_t error_factor_after_complete = 10;
  int64_t error_factor_of_guess = 2;
  int64_t bytes_per_object = 38'000;
  int64_t max_domain_size = 5'000;
};

struct NewDomainSettings {
  std::string configuration = "defaultconfig";
  std::string seed_list = "defaultseeds";
  std::string template_name = "default";
  int64_t max_bytes = 1'000'000'000;
  int64_t max_objects = -1;
};

struct ServerSettings {
  HarvestSettings harvest;
  SplittingSettings splitting;
  NewDomainSettings new_domains;
  alerts::AlertSettings alerts;
};

// The settings of the file, or the defaults if there is none.
Result<ServerSettings> load_server_settings(io::Files& files, const std::string& path);
harvest::GeneratorSettings generator_settings(const ServerSettings& settings);
harvest::NewDomainRule new_domain_rule(const ServerSettings& settings);

}  // namespace caddis::harvestserver

namespace caddis::settings {
template <>
const Schema& schema_of<harvestserver::HarvestSettings>();
template <>
const Schema& schema_of<harvestserver::SplittingSettings>();
template <>
const Schema& schema_of<harvestserver::NewDomainSettings>();
}  // namespace caddis::settings
