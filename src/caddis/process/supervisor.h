// The process between a crawl and a program of others: it starts the program within limits, and ends it with all that
// the program has started, when its time is over, when the crawl says so, or when the crawl is gone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "caddis/base/clock.h"

namespace caddis::process {

// The descriptors of the program: its question (a line), its answer, its complaints, the document.
inline constexpr int kDocument = 3;
// The supervisor alone has this one, to the crawl. Anything that comes there, and its end, mean that the program is to be ended.
inline constexpr int kControl = 4;

struct ProgramLimits {
  Duration time = std::chrono::seconds(60);
  uint64_t memory = 1'000'000'000;  // bytes of address space, of each process
};

// How the program ended, as the supervisor says it: one of these, and the status of waitpid (4 bytes, the lowest first).
inline constexpr char kProgramEnded = 'e', kTimeIsOver = 't', kWasTold = 'c';

// Runs `command`, whose first word is looked up in PATH, and says on kControl how it ended. No process of it runs any
// more then. Returns the exit code. The calling process must have one thread and nothing to lose.
int run_supervised(const std::vector<std::string>& command, const ProgramLimits& limits);

}  // namespace caddis::process
