#include "caddis/aio/process_use.h"

#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "caddis/base/strings.h"

namespace caddis::aio {

ProcessUse process_use() {
  timespec processor{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &processor);
  ProcessUse use;
  use.processor = std::chrono::seconds(processor.tv_sec) + std::chrono::nanoseconds(processor.tv_nsec);
  (void)::getloadavg(&use.load, 1);
  // "size resident shared …", in pages.
  std::array<char, 128> text{};
  const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return use;
  const ssize_t length = ::read(file, text.data(), text.size() - 1);
  ::close(file);
  const auto parts = split(std::string_view(text.data(), static_cast<size_t>(std::max<ssize_t>(length, 0))), ' ');
  if (parts.size() > 1)
    use.memory =
        static_cast<uint64_t>(parse_int(parts[1]).value_or(0)) * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  return use;
}

}  // namespace caddis::aio
