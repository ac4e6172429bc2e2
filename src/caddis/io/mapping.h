// A file as bytes in memory, for those who look up small places all over it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::io {

// Any thread. The bytes stay as they are when the file is renamed, replaced or removed meanwhile; nobody may cut it.
class Mapping {
 public:
  virtual ~Mapping() = default;
  virtual std::string_view bytes() const = 0;
};

// The operating system's files are mapped: the system reads what is touched, and shares it with other processes. Other
// Files (tests, the simulated world) are read as a whole.
Result<std::unique_ptr<Mapping>> map_file(Files& files, const std::string& path);

}  // namespace caddis::io
