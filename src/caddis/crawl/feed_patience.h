// How long a crawl waits for its database of feeds: as long as statements are answered. A large database may take minutes.
#pragma once

#include <chrono>
#include <cstdint>

#include "caddis/base/clock.h"

namespace caddis::crawl {

class FeedPatience {
 public:
  static constexpr Duration kLongestSilence = std::chrono::seconds(30);

  FeedPatience(SteadyTime begun, uint64_t answered) : heard_(begun), answered_(answered) {}

  // `answered`: FeedDatabase. Asked every few seconds; an answer counts from when it is seen.
  bool is_lost(SteadyTime now, uint64_t answered) {
    if (answered != answered_) heard_ = now;
    answered_ = answered;
    return now - heard_ >= kLongestSilence;
  }

 private:
  SteadyTime heard_;
  uint64_t answered_;
};

}  // namespace caddis::crawl
