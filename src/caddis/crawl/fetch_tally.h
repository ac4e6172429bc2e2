// The fates of the URLs of a host, of a registered domain, or of all that a seed led to: captured, not captured, and
// given up for which reason. A plain value, one line of numbers in the store.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace caddis::visit {
struct LogEntry;
}

namespace caddis::crawl {

// URLs that were not fetched by a decision, counted by who decided. They are among the excluded or failed ones, too.
struct GivenUp {
  uint64_t robots = 0;     // robots.txt forbids them
  uint64_t quota = 0;      // a quota is used up
  uint64_t limit = 0;      // the crawl reached a limit
  uint64_t by_people = 0;  // people blocked or deleted them, or ended their visits
  std::string reason;      // the quota or the limit that was met last: "server-bytes", "max-documents"

  void add(const GivenUp& other);
};

struct FetchTally {
  uint64_t urls = 0, bytes = 0;       // captured
  uint64_t failed = 0, excluded = 0;  // not captured: failures, and what was left out by a decision
  uint64_t slowest_ms = 0;
  // Captured, but no new payload: known by its digest; or a server said that nothing has changed.
  uint64_t repeated = 0, repeated_bytes = 0;
  uint64_t unchanged = 0, unchanged_bytes = 0;
  GivenUp given_up;

  uint64_t novel() const { return urls - repeated - unchanged; }
  uint64_t novel_bytes() const { return bytes - repeated_bytes - unchanged_bytes; }
  uint64_t activity() const { return urls + failed + excluded; }
  // Counts one visit that is over.
  void count(const visit::LogEntry& entry);
  // Adds another one's.
  void add(const FetchTally& other);
};

// The row of a tally, and back; what a row lacks is 0.
std::string to_row(const FetchTally& tally);
void read_row(std::string_view row, FetchTally& tally);

}  // namespace caddis::crawl
