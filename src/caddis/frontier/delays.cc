#include "caddis/frontier/delays.h"

#include <algorithm>

namespace caddis::frontier {

Duration politeness_delay(const PolitenessSettings& settings, Duration fetch_time,
                          std::optional<Duration> crawl_delay) {
  const double scaled = static_cast<double>(fetch_time.count()) * settings.delay_factor;
  const Duration longest = std::max(settings.min_delay, settings.max_delay);
  const Duration from_fetch = std::clamp(Duration(static_cast<Duration::rep>(scaled)), settings.min_delay, longest);
  Duration delay = settings.delay.value_or(from_fetch);
  if (crawl_delay) delay = std::max(delay, std::min(*crawl_delay, settings.max_crawl_delay));
  return delay;
}

Duration backoff(Duration first, Duration longest, uint32_t failures) {
  Duration wait = first;
  for (uint32_t i = 1; i < failures && wait < longest; ++i) wait *= 2;
  return std::min(wait, longest);
}

Duration time_for(uint64_t bytes, int64_t bytes_per_second) {
  const double seconds = static_cast<double>(bytes) / static_cast<double>(bytes_per_second);
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
}

}  // namespace caddis::frontier
