// How long to leave a host alone: pure functions of the settings.
#pragma once

#include <optional>

#include "caddis/frontier/settings.h"

namespace caddis::frontier {

// The pause between the end of one fetch from a host and the start of the next. A delay that is set is taken as it is;
// otherwise the fetch time times a factor, within bounds. robots.txt may lengthen either, up to its own bound.
Duration politeness_delay(const PolitenessSettings& settings, Duration fetch_time, std::optional<Duration> crawl_delay);

// The wait before try number `failures` + 1: doubles each time, bounded.
Duration backoff(Duration first, Duration longest, uint32_t failures);

// How long so many bytes take at so many a second.
Duration time_for(uint64_t bytes, int64_t bytes_per_second);

}  // namespace caddis::frontier
