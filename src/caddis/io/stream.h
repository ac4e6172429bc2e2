// What people hand over once: a file, a pipe (`<(command)`), standard input. Anything else is read through Files.
#pragma once

#include <memory>
#include <string>

#include "caddis/base/error.h"

namespace caddis::io {

class InputStream {
 public:
  virtual ~InputStream() = default;
  // "-" for standard input.
  static Result<std::unique_ptr<InputStream>> open(const std::string& path);
  // The next bytes, empty at the end; it waits for whoever writes into a pipe.
  virtual Result<std::string> read() = 0;
};

}  // namespace caddis::io
