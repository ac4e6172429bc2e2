// How large a disk is, and how much of it is free.
#pragma once

#include <cstdint>
#include <string>

#include "caddis/base/error.h"

namespace caddis::io {

struct DiskSize {
  uint64_t total = 0, free = 0;  // bytes; `free`: that may still be written
};

// The disk that holds `path`. Any thread.
Result<DiskSize> disk_size(const std::string& path);

}  // namespace caddis::io
