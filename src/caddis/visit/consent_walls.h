// The pages that wait for consent walls. Several pages may redirect to one URL before it has set its cookie: it is visited
// once, and leads back to one of them. The others are remembered here by the URL that they redirect to, and are asked
// again when it turns out to be a wall, and opens.
//
//   if (!walls.add(target, page)) …;                        // a redirect to `target`; it has opened since
//   for (const WaitingPage& page : walls.open(target)) …;    // a chain of redirects has come back by it
//
// Any thread. In memory, within bounds, and empty after a restart: a page that is forgotten keeps its redirect.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "caddis/frontier/scheduled_url.h"

namespace caddis::visit {

// A page that was answered with a redirect.
struct WaitingPage {
  frontier::ScheduledUrl again;  // how it is scheduled once more
  uint64_t cookie = 0;           // fetch::FetchOutcome::cookie of its request
};

class ConsentWalls {
 public:
  static constexpr size_t kMost = 4096;        // pages; those that came first are forgotten
  static constexpr size_t kMostOfAWall = 256;  // more of one are not remembered
  static constexpr size_t kMostOpen = 1024;    // walls; those that opened first are forgotten

  // Remembers a page that redirects to the URL of that fingerprint. False if that is a wall, and open: then nobody waits.
  bool add(uint64_t target, const WaitingPage& page);
  // The URL of that fingerprint is a wall that opens. Returns the pages that wait, which are forgotten.
  std::vector<WaitingPage> open(uint64_t target);

 private:
  std::mutex mutex_;                                      // guards what follows
  std::map<uint64_t, std::vector<WaitingPage>> waiting_;  // by target
  std::deque<uint64_t> targets_;                          // those of `waiting_`, as they came
  size_t pages_ = 0;
  std::set<uint64_t> open_;
  std::deque<uint64_t> opened_;  // as `open_`, in their order
};

}  // namespace caddis::visit
