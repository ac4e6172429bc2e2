// Names that the rules of OutbackCDX have here, read (outback_rules.cc) and written (outback_export.cc). Internal to the module.
#pragma once

#include <string_view>

namespace caddis::viewing {

// The access point of everybody.
inline constexpr std::string_view kPublicPoint = "public";
// The end of the id of a rule that allows for groups what another one blocks.
inline constexpr std::string_view kForGroups = "-for-groups";

}  // namespace caddis::viewing
