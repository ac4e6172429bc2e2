// Modules of the log whose warnings tell of conditions that stand in the database, too: the announcer tells these from there.
#pragma once

#include <string_view>

namespace caddis::harvestserver {

inline constexpr std::string_view kJobsLog = "jobs", kCopiesLog = "copies";

}  // namespace caddis::harvestserver
