// The settings of the section `checkpoint`: when checkpoints are taken, and how many are kept.
#pragma once

#include <chrono>
#include <cstdint>

#include "caddis/base/clock.h"
#include "caddis/settings/schema.h"

namespace caddis::config {

struct CheckpointSettings {
  Duration interval = std::chrono::hours(6);  // 0: none while the crawl runs
  int64_t kept = 3;                           // of those without a name
  bool at_stop = true;
};

}  // namespace caddis::config

namespace caddis::settings {
template <>
const Schema& schema_of<config::CheckpointSettings>();
}  // namespace caddis::settings
