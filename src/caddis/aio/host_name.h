// The machine's own name. Any thread.
#pragma once

#include <string>

namespace caddis::aio {

// As its system has it (gethostname); "localhost" if it has none.
std::string host_name();

}  // namespace caddis::aio
