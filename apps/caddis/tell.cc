#include "tell.h"

#include <fcntl.h>
#include <unistd.h>

#include "caddis/base/output.h"

namespace caddis::cli {

void tell(std::string_view text, std::FILE* to) {
  std::fflush(to);
  while (!text.empty() && takes_text(::fileno(to))) {
    const std::string_view part = text.substr(0, kTakenAtOnce);
    std::fwrite(part.data(), 1, part.size(), to);
    std::fflush(to);
    text.remove_prefix(part.size());
  }
}

void hold_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1) continue;
    // Those before it are open, so this gets its number. Results must not seem to be written: theirs takes nothing.
    ::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace caddis::cli
