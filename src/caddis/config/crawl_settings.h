// The settings of the section `crawl`: what is crawled, for whom, and how the process behaves. Those by which it knows
// URLs again have a section of their own.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/config/canonicalization_settings.h"
#include "caddis/settings/schema.h"
#include "caddis/settings/sheet.h"

namespace caddis::config {

// How far a resume mends by itself, beside the traces of a death (repair/repair.h).
enum class SelfRepair {
  never,
  lossless,  // what loses nothing for good
  always,
};

struct CrawlSettings {
  std::string name = "crawl";
  std::string contact;
  std::vector<std::string> seeds;
  std::vector<std::string> seed_files;
  bool is_private = false;
  int64_t lanes = 0;
  Duration action_interval = std::chrono::seconds(10);
  Duration progress_interval = std::chrono::seconds(20);
  Duration stop_grace = std::chrono::seconds(3);
  bool recovery_log = false;
  SelfRepair repair = SelfRepair::lossless;
  settings::SheetOrder sheet_order = settings::SheetOrder::written;
};

// The section `checkpoint`: when checkpoints are taken, and how many are kept.
struct CheckpointSettings {
  Duration interval = std::chrono::hours(6);  // 0: none while the crawl runs
  int64_t kept = 3;                           // of those without a name
  bool at_stop = true;
};

// ErrorCode::config if the seeds do not fit into a file of settings, or the crawl has no name.
Result<void> validate(const CrawlSettings& settings);

}  // namespace caddis::config

namespace caddis::settings {
template <>
const Schema& schema_of<config::CrawlSettings>();
template <>
const Schema& schema_of<config::CheckpointSettings>();
}  // namespace caddis::settings
