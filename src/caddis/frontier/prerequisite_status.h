// Statuses of URLs whose prerequisite failed for good: Heritrix's codes, and one of Caddis's own.
#pragma once

#include "caddis/base/clock.h"

namespace caddis::frontier {

inline constexpr int kDomainPrerequisiteFailed = -6;
inline constexpr int kRobotsPrerequisiteFailed = -61;
// For hosts at addresses that nobody may connect to.
inline constexpr int kAddressRefused = -5010;

// Until when addresses hold that were refused: they were looked up, and are looked up again.
inline constexpr WallTime kRefused = WallTime(std::chrono::seconds(1));

}  // namespace caddis::frontier
