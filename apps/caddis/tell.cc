#include "tell.h"

#include <fcntl.h>
#include <unistd.h>

namespace caddis::cli {

void tell(std::string_view text, std::FILE* to) { std::fwrite(text.data(), 1, text.size(), to); }

void hold_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1) continue;
    // Those before it are open, so this gets its number. Results must not seem to be written: theirs takes nothing.
    ::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace caddis::cli
