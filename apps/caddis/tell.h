// What commands tell people. It may get lost, with a closed terminal, a dead reader or a full disk, and never ends the
// command: fmt::print throws there, which is right for results only. It waits for a reader who stands still; a crawl,
// which must not, uses `say` (base/output.h).
#pragma once

#include <cstdio>
#include <string_view>

namespace caddis::cli {

void tell(std::string_view text, std::FILE* to = stderr);

// To be called first of all. A standard stream that the process was started without (`2>&-`) would be the number of the
// first file that is opened, and what is said would be written into it.
void hold_standard_streams();

}  // namespace caddis::cli
