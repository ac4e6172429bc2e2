// What people hand over once: a file, a pipe (`<(command)`), standard input. Anything else is read through Files.
#pragma once

#include <cstdint>
#include <string>

#include "caddis/base/error.h"

namespace caddis::io {

// Everything up to the end of `path`, "-" for standard input; it waits for whoever writes into a pipe. ErrorCode::limit
// where there is more than `limit`.
Result<std::string> read_stream(const std::string& path, uint64_t limit);

}  // namespace caddis::io
