// The programs of a crawl: they run in processes of their own, some at the same time, and never on a loop's thread.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "caddis/aio/blocking.h"
#include "caddis/aio/task.h"
#include "caddis/base/clock.h"
#include "caddis/process/descriptor.h"
#include "caddis/process/program.h"
#include "caddis/process/sandbox.h"

namespace caddis::process {

// Any thread.
class Programs {
 public:
  virtual ~Programs() = default;
  // Continues on `loop`, the caller's.
  virtual aio::Task<ProgramOutcome> run(aio::Loop& loop, ProgramCall call, Sandbox sandbox) = 0;
  // Ends those that run, and all that come from now on.
  virtual void stop() {}
};

// For worlds without processes: each program has the same answer.
class ScriptedPrograms final : public Programs {
 public:
  explicit ScriptedPrograms(ProgramOutcome outcome) : outcome_(std::move(outcome)) {}
  aio::Task<ProgramOutcome> run(aio::Loop&, ProgramCall, Sandbox) override { co_return outcome_; }

 private:
  const ProgramOutcome outcome_;
};

class ProgramPool final : public Programs {
 public:
  // `supervisor`: the command that leads to run_supervised. `most`: programs at the same time. `clock` outlives it.
  ProgramPool(std::vector<std::string> supervisor, unsigned most, const Clock& clock);
  ~ProgramPool() override;

  aio::Task<ProgramOutcome> run(aio::Loop& loop, ProgramCall call, Sandbox sandbox) override;
  void stop() override;

 private:
  ProgramOutcome run_here(ProgramCall& call, Sandbox sandbox);
  bool is_stopped() const;
  // Why bubblewrap cannot be used, which is said once if it is no matter; empty if it can. Tries it once.
  std::string lack_of_bubblewrap(bool matters);

  const std::vector<std::string> supervisor_;
  const Clock& clock_;
  const Descriptor stop_;
  std::mutex mutex_;  // guards what follows
  std::optional<std::string> lack_;
  bool has_warned_ = false;
  std::unique_ptr<aio::Blocking> threads_;  // joined before the rest goes
};

// `command` within bubblewrap: all files are there to be read, temporary folders are empty, the network is open, no
// process but its own is to be seen, and all of them end with the first.
std::vector<std::string> within_bubblewrap(const std::vector<std::string>& command);

// The command that starts this executable, which is `caddis`, as a supervisor.
std::vector<std::string> supervisor_command();

}  // namespace caddis::process
