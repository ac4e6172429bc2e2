#include "caddis/engine/machine.h"

#include <unistd.h>

#include "caddis/base/strings.h"
#include "caddis/io/disk_size.h"
#include "caddis/io/stream.h"

namespace caddis::engine {
namespace {

// "MemTotal:       2048 kB"
uint64_t bytes_in(std::string_view line) {
  const std::string_view value = trim(line.substr(line.find(':') + 1));
  return static_cast<uint64_t>(parse_int(value.substr(0, value.find(' '))).value_or(0)) * 1024;
}

void read_memory(Machine& machine) {
  const auto stream = io::InputStream::open("/proc/meminfo");
  const auto text = stream ? (*stream)->read() : Result<std::string>();
  if (!text) return;
  for (const std::string_view line : split(*text, '\n')) {
    if (line.starts_with("MemTotal:")) machine.memory_total = bytes_in(line);
    if (line.starts_with("MemAvailable:")) machine.memory_available = bytes_in(line);
  }
}

}  // namespace

Machine machine_of(const std::string& folder) {
  Machine machine;
  if (const long processors = ::sysconf(_SC_NPROCESSORS_ONLN); processors > 0)
    machine.processors = static_cast<uint64_t>(processors);
  read_memory(machine);
  if (const auto disk = io::disk_size(folder)) {
    machine.disk_total = disk->total;
    machine.disk_free = disk->free;
  }
  return machine;
}

uint64_t memory_available() {
  Machine machine;
  read_memory(machine);
  return machine.memory_available;
}

}  // namespace caddis::engine
