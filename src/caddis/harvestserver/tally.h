// Counters of a harvest server for its metrics, from its start on. Any thread.
#pragma once

#include <atomic>
#include <cstdint>

namespace caddis::harvestserver {

struct Tally {
  std::atomic<uint64_t> requests = 0, failed_requests = 0;  // of the API; failed: answered with 500 and above
  std::atomic<uint64_t> generations = 0, failed_generations = 0;
  std::atomic<uint64_t> generation_millis = 0, generated_jobs = 0;
  std::atomic<uint64_t> failed_backups = 0;
};

}  // namespace caddis::harvestserver
