// The settings of the sections `limits` and `memory`: when a crawl ends, and what it may take of the machine.
#pragma once

#include <cstdint>

#include "caddis/base/clock.h"
#include "caddis/settings/schema.h"

namespace caddis::config {

// What happens when a limit is reached.
enum class AtLimit { end, pause, block };

// 0: no limit.
struct LimitSettings {
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
  int64_t min_free_space = 1'000'000'000;  // bytes of the disk
};

struct MemorySettings {
  int64_t total = 2'000'000'000;  // bytes of the process
  int64_t seen = 0;               // bytes of the seen-set; 0: a share of the total
  int64_t hosts = 0;              // hosts that are resident; 0: what their share of the total holds
};

}  // namespace caddis::config

namespace caddis::settings {
template <>
const Schema& schema_of<config::LimitSettings>();
template <>
const Schema& schema_of<config::MemorySettings>();
}  // namespace caddis::settings
