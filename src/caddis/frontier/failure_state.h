// How often a host's name, or the connections to one of its origins, failed, and what follows from that. A dead port
// says nothing of the host's other origins.
#pragma once

#include <cstdint>

#include "caddis/base/clock.h"

namespace caddis::frontier {

struct FailureState {
  uint32_t failures = 0;   // in a row
  uint32_t probes = 0;     // since it was suspended
  bool suspended = false;  // only a probe now and then is made
  bool answered = false;   // the latest: a server that is there, and does not give its robots.txt (429, 5xx)
  int abandoned = 0;       // the status that its URLs get, 0 while there is hope
  WallTime retry_at{};     // not before, after a failure
};

}  // namespace caddis::frontier
