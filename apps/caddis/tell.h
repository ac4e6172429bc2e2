// What long-running commands say to people. It may get lost, with a closed terminal, a reader that is dead or stands
// still, or a full disk, and never ends the command or holds it up: fmt::print throws or waits there, which is right
// for results only.
#pragma once

#include <cstdio>
#include <string_view>

namespace caddis::cli {

void tell(std::string_view text, std::FILE* to = stderr);

// To be called first of all. A standard stream that the process was started without (`2>&-`) would be the number of the
// first file that is opened, and what is said would be written into it.
void hold_standard_streams();

}  // namespace caddis::cli
