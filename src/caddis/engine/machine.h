// The machine of the engine: processors, memory and the disk of the jobs. Any thread.
#pragma once

#include <cstdint>
#include <string>

namespace caddis::engine {

// 0: not known.
struct Machine {
  uint64_t processors = 0;
  uint64_t memory_total = 0, memory_available = 0;  // bytes
  uint64_t disk_total = 0, disk_free = 0;

  // Whether the disk has less left than a server can work with.
  bool is_disk_full() const { return disk_total > 0 && disk_free < (uint64_t{64} << 20); }
};

Machine machine_of(const std::string& folder);
// As in that; 0: not known.
uint64_t memory_available();

}  // namespace caddis::engine
