// Output for people, which holds up nobody who writes it: what its reader does not take gets lost. Results are not
// written this way.
#pragma once

#include <atomic>
#include <string_view>

namespace caddis {

// Writes to a descriptor, borrowed, that may be a terminal, pipe, socket or file. Any thread.
class LossyOutput {
 public:
  explicit LossyOutput(int fd);
  ~LossyOutput();
  LossyOutput(const LossyOutput&) = delete;
  LossyOutput& operator=(const LossyOutput&) = delete;

  // Waits a tenth of a second for a reader who is only slow, and not at all for one who stood still before: a frozen
  // terminal, a pager. Errors are lost with the text.
  void write(std::string_view text);

 private:
  const int fd_;
  // Of its own, and non-blocking: the given one may be shared with other programs. -1 if there is none, as for files.
  const int own_fd_;
  std::atomic<bool> stands_still_ = false;
};

// To standard error.
void say(std::string_view text);

}  // namespace caddis
