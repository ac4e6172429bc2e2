// From URLs that were found to chunks of their queues: what is admitted and new becomes one chunk for each queue and
// class, in the order in which it was found; what belongs to hosts for which memory has no room is deferred. If a module
// decides over the order of the crawl, it holds the URLs first.
//
// Belongs to the frontier's thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/frontier/frontier_parts.h"
#include "caddis/frontier/scheduled_url.h"

namespace caddis::frontier {

class Intake {
 public:
  explicit Intake(FrontierParts& parts) : parts_(parts) {}

  Result<ScheduleResult> schedule(std::vector<ScheduledUrl> urls);
  // Counts these URLs as seen, though nobody visits them; returns those that were new.
  Result<std::vector<uint64_t>> remember(std::span<const uint64_t> fingerprints);
  // Takes from what is held as much as is to be handed over now (frontier.ahead), some at each call.
  Result<void> hand_over();
  // When there may be more of it; nothing if only a visit that ends can help.
  std::optional<SteadyTime> next_hand_over() const;

 private:
  // Links that become one chunk.
  struct Bundle {
    std::string origin, host;
    PriorityClass priority;
    std::vector<Candidate> items;
    std::vector<size_t> places;  // in the list that was scheduled, one for each item
  };
  static void add(ScheduledUrl url, size_t place, PriorityClass priority, std::vector<Bundle>& bundles);
  // `answers`: those of the list; null if nobody waits for any.
  Result<void> store(Bundle bundle, std::vector<ScheduleAnswer>* answers);
  Result<void> store_held(HeldUrl url);
  // URLs that may be visited as far as the frontier knows, by those who wait alone.
  uint64_t ready() const;
  bool wants_more() const;

  FrontierParts& parts_;
  bool had_none_ = false;  // the module, when it was asked last
};

}  // namespace caddis::frontier
