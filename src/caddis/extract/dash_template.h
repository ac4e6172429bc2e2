// URL templates of MPEG-DASH (ISO/IEC 23009-1, 5.3.9.4.4). Internal to extract; pure, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace caddis::extract {

// The values that a template is filled with.
struct SegmentValues {
  std::string_view id;  // of the representation
  int64_t bandwidth = 0;
  int64_t number = 0;
  int64_t time = 0;
};

// Whether the template has another URL for each segment.
bool changes_by_segment(std::string_view text);

// Returns the URL for $Number$, $Number%05d$, $Time$, $RepresentationID$, $Bandwidth$, and $$ for a '$'. Nothing if the
// template has others ($SubNumber$). A template or a URL of more than `longest` bytes is cut, one byte behind them.
std::optional<std::string> fill_in(std::string_view text, const SegmentValues& values, size_t longest);

}  // namespace caddis::extract
