// Counts of the fields Set-Cookie of some answers, and of cookies that had to go for them. A plain value.
#pragma once

#include <cstdint>

namespace caddis::cookies {

struct CookieCounts {
  uint64_t kept = 0;         // or, if that is what they say, deleted
  uint64_t too_large = 0;    // CookieSettings::max_size
  uint64_t refused = 0;      // no cookies, or none that such an answer may set
  uint64_t over_domain = 0;  // cookies that went, since their domain has more than CookieSettings::per_domain
  uint64_t over_total = 0;   // the same of all jars together (CookieJar::set_bounds)

  void add(const CookieCounts& other) {
    kept += other.kept;
    too_large += other.too_large;
    refused += other.refused;
    over_domain += other.over_domain;
    over_total += other.over_total;
  }
};

}  // namespace caddis::cookies
