#include "stop_signals.h"

#include <atomic>
#include <csignal>
#include <cstdlib>

namespace caddis::cli {
namespace {

// The only state that a handler may touch.
std::atomic<int> interrupts = 0;    // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<bool> hung_up = false;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

void interrupted(int) {
  if (++interrupts > 1) std::_Exit(4);
}

void hang_up(int) { hung_up = true; }

}  // namespace

void take_stop_signals() {
  std::signal(SIGINT, interrupted);
  std::signal(SIGTERM, interrupted);
  struct sigaction inherited{};
  if (::sigaction(SIGHUP, nullptr, &inherited) == 0 && inherited.sa_handler != SIG_IGN) std::signal(SIGHUP, hang_up);
}

bool stop_asked() { return interrupts > 0 || hung_up; }

}  // namespace caddis::cli
