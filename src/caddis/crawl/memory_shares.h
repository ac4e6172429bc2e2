// The shares of `memory.total`, which is for the whole process.
#pragma once

#include <cstdint>

#include "caddis/config/settings.h"

namespace caddis::crawl {

// Bytes each.
struct MemoryShares {
  uint64_t seen = 0;         // the set of known URLs; more of them go to disk
  uint64_t hosts = 0;        // hosts in memory; others wait on disk
  uint64_t finished = 0;     // finished visits that are not on disk yet; visits wait
  uint64_t digests = 0;      // places of digests of what is stored, and filters of those that have gone to disk
  uint64_t cookies = 0;      // cookies that servers have set; those sent longest ago are dropped
  uint64_t spools = 0;       // what visits receive and the records made of it; more goes to files
  uint64_t importance = 0;   // of URLs, where their order is by it
  uint64_t precedences = 0;  // of URLs, where a file lists them
};

// Connections, URLs and links of visits in flight are not counted: they are few enough as long as the
// process is within its memory.
MemoryShares memory_shares(const config::Settings& settings);
// How many hosts that is, and how many places of digests.
uint64_t hosts_in_memory(const config::Settings& settings);
uint64_t digests_in_memory(const config::Settings& settings);

}  // namespace caddis::crawl
