// The settings of the section `limits`: when a crawl ends, and what it may take of the machine besides memory.
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

}  // namespace caddis::config

namespace caddis::settings {
template <>
const Schema& schema_of<config::LimitSettings>();
}  // namespace caddis::settings
