#include "report_signal.h"

#include <atomic>
#include <csignal>

namespace caddis::cli {
namespace {

// The only state that the handler touches.
std::atomic<bool> asked = false;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

void ask(int) { asked = true; }

}  // namespace

void take_report_signal() { std::signal(SIGUSR1, ask); }

bool take_reports_asked() { return asked.exchange(false); }

}  // namespace caddis::cli
