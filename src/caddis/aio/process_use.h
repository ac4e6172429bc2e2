// What this process has used of the machine so far.
#pragma once

#include <cstdint>

#include "caddis/base/clock.h"

namespace caddis::aio {

struct ProcessUse {
  Duration processor{};  // time of all its threads
  uint64_t memory = 0;   // bytes that are resident; 0 where the system does not tell
  double load = 0;       // threads of the whole machine that run or wait to run, over the last minute
};

// Any thread.
ProcessUse process_use();

}  // namespace caddis::aio
