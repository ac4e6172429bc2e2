#include "caddis/process/programs.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

#include "caddis/aio/loop.h"
#include "caddis/base/log.h"

namespace caddis::process {

ProgramPool::ProgramPool(std::vector<std::string> supervisor, unsigned most, const Clock& clock)
    : supervisor_(std::move(supervisor)),
      clock_(clock),
      stop_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      threads_(aio::make_blocking(most)) {}

ProgramPool::~ProgramPool() {
  stop();
  threads_.reset();
}

void ProgramPool::stop() {
  // Nobody reads it: it stays.
  const uint64_t one = 1;
  (void)!::write(stop_.get(), &one, sizeof one);
}

aio::Task<ProgramOutcome> ProgramPool::run(aio::Loop& loop, ProgramCall call, Sandbox sandbox) {
  ProgramOutcome outcome;
  const std::function<void()> work = [this, &call, sandbox, &outcome] { outcome = run_here(call, sandbox); };
  co_await threads_->run(loop, work);
  co_return outcome;
}

bool ProgramPool::is_stopped() const {
  pollfd waiting{stop_.get(), POLLIN, 0};
  return ::poll(&waiting, 1, 0) > 0;
}

ProgramOutcome ProgramPool::run_here(ProgramCall& call, Sandbox sandbox) {
  if (is_stopped()) return {{}, std::string(kEndedByStop)};
  if (sandbox != Sandbox::none) {
    const std::string lack = lack_of_bubblewrap(sandbox == Sandbox::bubblewrap);
    if (lack.empty())
      call.command = within_bubblewrap(call.command);
    else if (sandbox == Sandbox::bubblewrap)
      return {{}, fmt::format("bubblewrap cannot confine it ({}): install it, or set extract.sandbox: none", lack)};
  }
  std::string brought;
  if (call.bring) {
    auto made = call.bring();
    if (!made) return {{}, std::move(made).error().message};
    brought = *std::move(made);
    call.document = brought;
  }
  return run_program(supervisor_, call, stop_.get(), clock_);
}

std::string ProgramPool::lack_of_bubblewrap(bool matters) {
  const std::lock_guard lock(mutex_);
  if (!lack_) {
    ProgramCall probe;
    probe.command = within_bubblewrap({"true"});
    lack_ = run_program(supervisor_, probe, stop_.get(), clock_).problem;
  }
  if (!lack_->empty() && !matters && !std::exchange(has_warned_, true))
    log_warn("extract", "extract.program runs without a sandbox, within limits of time and memory alone: {}", *lack_);
  return *lack_;
}

std::vector<std::string> within_bubblewrap(const std::vector<std::string>& command) {
  std::vector<std::string> whole = {"bwrap",
                                    "--ro-bind",
                                    "/",
                                    "/",
                                    "--dev",
                                    "/dev",
                                    "--proc",
                                    "/proc",
                                    "--tmpfs",
                                    "/tmp",
                                    "--tmpfs",
                                    "/var/tmp",
                                    "--unshare-pid",
                                    "--unshare-ipc",
                                    "--cap-drop",
                                    "ALL",
                                    "--new-session",
                                    "--die-with-parent",
                                    "--chdir",
                                    "/",
                                    "--"};
  whole.insert(whole.end(), command.begin(), command.end());
  return whole;
}

std::vector<std::string> supervisor_command() { return {"/proc/self/exe", "program-supervisor"}; }

}  // namespace caddis::process
