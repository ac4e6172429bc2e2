// The resources that all running jobs may use together (Allowance), and the share of each: never more than it asks for by
// its own configuration. Memory and lanes are given when a crawl begins; bandwidth and disk are divided anew
// whenever another job begins or ends.
//
// Pure functions, any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "caddis/engine/job_folder.h"
#include "caddis/io/files.h"

namespace caddis::engine {

// 0: as much as there is.
struct Allowance {
  uint64_t memory = 0;      // bytes
  uint64_t processors = 0;  // one lane of a crawl keeps one busy at most
  uint64_t bandwidth = 0;   // bytes a second
  uint64_t disk = 0;        // bytes of the folder of the jobs
  bool operator==(const Allowance&) const = default;
};

// The resources that a job takes by its own configuration; 0: no limit.
struct Wishes {
  uint64_t memory = 0, lanes = 0, bandwidth = 0, warc_bytes = 0;
  bool operator==(const Wishes&) const = default;
};
// Defaults, if the configuration cannot be read: its launch fails anyway.
Wishes wishes_of(io::Files& files, const JobFolder& folder);

// The least that a crawl needs (memory.total).
inline constexpr uint64_t kLeastMemory = 256'000'000;

// The memory of a job, as one of `places` that may run at the same time; 0 places: of any number, so each gets what it
// asks for, up to all there is.
uint64_t memory_share(const Allowance& allowance, const Wishes& wishes, size_t places);
uint64_t lane_share(const Allowance& allowance, const Wishes& wishes, size_t places);

// How the jobs stand that run.
struct Division {
  size_t running = 0;       // all of them
  uint64_t disk_left = 0;   // bytes, of the allowance
  uint64_t warc_bytes = 0;  // that this one has written
};
// "politeness.bandwidth=500000", for a crawl that runs or begins. Empty if there is nothing to divide.
std::vector<std::string> divided_settings(const Allowance& allowance, const Wishes& wishes, const Division& division);

}  // namespace caddis::engine
