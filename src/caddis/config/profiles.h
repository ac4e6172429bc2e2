// The profiles that ship: settings for the usual crawls, to begin from (profiles/*.yaml, docs/profiles.md). They are
// compiled in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::config {

struct Profile {
  std::string_view name;     // "broad"
  std::string_view summary;  // the first line of its file
  std::string_view yaml;
};

// From the smallest crawl to the largest, then the special ones.
const std::vector<Profile>& profiles();
// ErrorCode::config names those there are.
Result<const Profile*> find_profile(std::string_view name);
// As messages call it: "profile broad".
std::string profile_title(const Profile& profile);

}  // namespace caddis::config
