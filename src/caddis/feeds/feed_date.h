// The dates of feeds: RFC 822 with two or four digits of the year (RSS), W3CDTF and RFC 3339 (Atom, RDF, JSON Feed), and
// what real feeds write instead: no day of the week or a wrong one, no seconds, names of time zones, a blank for the T.
//
// Pure functions, any thread.
#pragma once

#include <optional>
#include <string_view>

#include "caddis/base/clock.h"

namespace caddis::feeds {

// The moment that a text names, a second exactly; a date alone is its first instant, without a zone it is UTC. Returns
// nothing for what is no date, or one outside of the years 1970 to 9999.
std::optional<WallTime> parse_feed_date(std::string_view text);

}  // namespace caddis::feeds
