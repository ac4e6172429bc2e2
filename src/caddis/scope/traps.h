// Paths that grow by themselves. Pure functions of a URL's path.
#pragma once

#include <cstdint>
#include <string_view>

namespace caddis::scope {

// The slashes of the path.
int64_t path_depth(std::string_view path);

// The run of segments that stands more than `max_repetitions` times, one behind the other, as in "/a/b/a/b/a/b/": here
// "a/b/". Empty where there is none. A segment counts with its slash, so that the last name in "/x/x/x" does not. Only
// the last 64 segments are looked at.
std::string_view repeated_segments(std::string_view path, int64_t max_repetitions);

}  // namespace caddis::scope
