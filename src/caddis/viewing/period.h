// Times as access rules write them: periods of captures, and lengths of time by the calendar.
//
//   2010..2012-06    from the first instant of the one to the last of the other; an end may be missing
//   2011-05-04       what it covers
//   2y6mo10d         two years, six months and ten days
//
// Pure functions, any thread.
#pragma once

#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"

namespace caddis::viewing {

// Timestamps of up to 14 digits; empty: no end on that side.
struct TimeRange {
  std::string from, to;

  bool contains(std::string_view timestamp) const;
};

Result<TimeRange> parse_time_range(std::string_view text);
std::string to_string(const TimeRange& range);

struct Period {
  int years = 0, months = 0, days = 0;

  bool empty() const { return years == 0 && months == 0 && days == 0; }
};

Result<Period> parse_period(std::string_view text);
std::string to_string(const Period& period);
// The moment that lies so long before `moment`, by the calendar: a month before the 31st of March is the last of February.
WallTime before(WallTime moment, const Period& period);

}  // namespace caddis::viewing
