// The crawl's end of a document worker: the process, and the socket to it. Internal to documents. One thread at a time;
// every call blocks, for so long as its deadline says.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/documents/reader.h"

namespace caddis::documents {

class WorkerProcess {
 public:
  // `command`: the executable and its arguments. `clock` outlives it. ErrorCode::timeout or closed if it starts, and
  // does not say hello.
  static Result<std::unique_ptr<WorkerProcess>> start(const std::vector<std::string>& command, const Clock& clock);
  // Ends the process.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  // ErrorCode::timeout, closed (the process has ended) or corrupt: then the worker is of no use any more.
  Result<Found> read(const Question& question, Duration time_limit);
  // Whether the process runs.
  bool is_alive();
  // Whether system calls are filtered.
  bool is_filtered() const { return is_filtered_; }
  uint64_t documents() const { return documents_; }
  SteadyTime last_used() const { return last_used_; }
  pid_t pid() const { return pid_; }

 private:
  WorkerProcess(pid_t pid, int socket, const Clock& clock) : pid_(pid), socket_(socket), clock_(clock) {}
  Result<void> send(const Question& question, Duration time_limit);
  Result<void> receive(char* into, size_t size, SteadyTime deadline);
  void end_process();
  // Ends the process; says how it has ended.
  Error ended();

  pid_t pid_;
  int status_ = 0;
  bool has_ended_ = false;
  const int socket_;
  const Clock& clock_;
  bool is_filtered_ = false;
  uint64_t documents_ = 0;
  SteadyTime last_used_{};
};

}  // namespace caddis::documents
