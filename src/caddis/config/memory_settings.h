// The settings of the section `memory`: what the process may use, and parts of it that are fixed.
#pragma once

#include <cstdint>

#include "caddis/settings/schema.h"

namespace caddis::config {

struct MemorySettings {
  int64_t total = 2'000'000'000;  // bytes of the process
  int64_t seen = 0;               // bytes of the seen-set; 0: a share of the total
  int64_t hosts = 0;              // hosts that are resident; 0: what their share of the total holds
};

}  // namespace caddis::config

namespace caddis::settings {
template <>
const Schema& schema_of<config::MemorySettings>();
}  // namespace caddis::settings
