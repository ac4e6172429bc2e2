// A program whose output is read while it runs, with a deadline: for programs of our own, which are to be trusted.
//
//   TRY(CapturedChild child, CapturedChild::start({"/usr/bin/caddis", "serve", …}));
//   TRY(const std::string line, child.read_line(std::chrono::seconds(10), clock));
//   child.signal(SIGTERM);
//   TRY(const CapturedEnd end, child.wait(std::chrono::seconds(10), clock));
//
// One thread at a time.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/process/descriptor.h"

namespace caddis::process {

struct CapturedEnd {
  int status = 0;      // of waitpid; how_it_ended tells it in words
  std::string output;  // what nobody has read as a line yet; of more than 16 MB the begin

  bool is_success() const { return status == 0; }
};

class CapturedChild {
 public:
  // Standard output and standard error are read as one. Its input is empty.
  static Result<CapturedChild> start(const std::vector<std::string>& command);
  CapturedChild(CapturedChild&& other) noexcept;
  CapturedChild& operator=(CapturedChild&&) = delete;
  // Kills it, unless it has been waited for.
  ~CapturedChild();

  // The next line, without its end. ErrorCode::timeout if none comes in time, ErrorCode::closed if the output has ended.
  Result<std::string> read_line(Duration patience, const Clock& clock);
  void signal(int number) const;
  // Waits for its end, and reads the rest of its output. One that has not ended in time is killed: ErrorCode::timeout.
  Result<CapturedEnd> wait(Duration patience, const Clock& clock);

 private:
  CapturedChild(pid_t pid, Descriptor output) : pid_(pid), output_(std::move(output)) {}
  // False at the end of the output. ErrorCode::timeout behind the deadline.
  Result<bool> read_more(SteadyTime deadline, const Clock& clock);

  pid_t pid_;  // -1: it has been waited for
  Descriptor output_;
  std::string text_;
};

}  // namespace caddis::process
