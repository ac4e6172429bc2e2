// When a body that the disk cannot hold is given up.
#pragma once

#include <cstdint>

namespace caddis::visit {

// At this try of its URL, or a later one; what else failed before counts as a try, too. Others that filled the disk
// with it may have ended meanwhile.
inline constexpr uint32_t kTriesForRoom = 3;

}  // namespace caddis::visit
