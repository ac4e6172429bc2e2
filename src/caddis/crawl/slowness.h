// Why a crawl is as slow as it is, in one line. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "caddis/frontier/inspection.h"

namespace caddis::crawl {

// "politeness: 37 of 40 queues wait for their delay"; empty where no queue holds anything.
std::string slow_because(const frontier::QueueStates& waits, uint64_t max_visits);

}  // namespace caddis::crawl
