#include "caddis/visit/retry_after.h"

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"

namespace caddis::visit {

std::optional<Duration> retry_after(const http::ResponseHead& head, WallTime now, Duration most) {
  const auto field = head.find("retry-after");
  if (!field) return std::nullopt;
  // Seconds, or a date.
  Duration wait{};
  constexpr int64_t kLongest = 1'000'000;
  const std::string_view text = trim(*field);
  if (const auto seconds = parse_int(text)) {
    wait = std::chrono::seconds(std::clamp<int64_t>(*seconds, 0, kLongest));
  } else if (!text.empty() && std::ranges::all_of(text, is_digit)) {
    wait = std::chrono::seconds(kLongest);  // more than a number holds
  } else if (const auto date = parse_http_date(*field)) {
    // A date may be further away than a Duration reaches, on either side.
    using Distance = WallTime::duration;
    const Distance until = *date - now;
    wait = std::clamp(until, Distance(0), std::max(Distance(0), std::chrono::duration_cast<Distance>(most)));
  } else {
    return std::nullopt;
  }
  return std::min(wait, most);
}

}  // namespace caddis::visit
