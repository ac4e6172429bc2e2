#include "batch.h"

#include <poll.h>
#include <unistd.h>

#include "caddis/base/json_text.h"

namespace caddis::cli {
namespace {

void write_out(std::string& pending) {
  for (size_t done = 0; done < pending.size();) {
    const ssize_t n = ::write(STDOUT_FILENO, pending.data() + done, pending.size() - done);
    if (n < 0) _exit(1);  // the reader has gone: nobody is left to answer
    done += static_cast<size_t>(n);
  }
  pending.clear();
}

bool input_waits() {
  pollfd waiting{STDIN_FILENO, POLLIN, 0};
  return ::poll(&waiting, 1, 0) > 0;
}

std::string_view without_carriage_return(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

void run_batch(const std::function<std::string(std::string_view line)>& answer) {
  constexpr size_t kFlushAt = 256 * 1024;
  std::string input, output;
  std::string chunk(128 * 1024, '\0');
  for (;;) {
    if (output.size() > kFlushAt || !input_waits()) write_out(output);
    const ssize_t n = ::read(STDIN_FILENO, chunk.data(), chunk.size());
    if (n <= 0) break;
    input.append(chunk, 0, static_cast<size_t>(n));
    size_t start = 0;
    for (size_t end; (end = input.find('\n', start)) != std::string::npos; start = end + 1) {
      output += answer(without_carriage_return(std::string_view(input).substr(start, end - start)));
      output += '\n';
    }
    input.erase(0, start);
  }
  if (!input.empty()) {
    output += answer(without_carriage_return(input));
    output += '\n';
  }
  write_out(output);
}

std::string error_line(std::string_view message) { return JsonObject().add("error", message).finish(); }

}  // namespace caddis::cli
