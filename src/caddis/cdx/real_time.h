// A time that somebody asks for, made one that there is.
#pragma once

#include <string>
#include <string_view>

namespace caddis::cdx {

// A timestamp of which each part that is out of its range is the nearest one within it: month 0 is January, and day 30 of
// February its last day. A part that is cut off is filled up with zeros. Returns what is a time, or holds more than
// digits, as it stands.
std::string real_timestamp(std::string_view digits);

}  // namespace caddis::cdx
