#include "caddis/extract/dash_template.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"

namespace caddis::extract {
namespace {

// `value` as "%05d" says.
std::string formatted(std::string_view format, int64_t value) {
  constexpr int64_t kWidest = 40;
  int64_t width = 0;
  if (format.starts_with("%0")) {
    const std::string_view digits = format.substr(2);
    width = parse_int(digits.substr(0, digits.find_first_not_of("0123456789"))).value_or(0);
  }
  return fmt::format("{:0{}}", value, static_cast<size_t>(std::clamp<int64_t>(width, 0, kWidest)));
}

// The value of "Number%05d" and its like.
std::optional<std::string> value_of_mark(std::string_view mark, const SegmentValues& values) {
  const std::string_view name = mark.substr(0, mark.find('%')), format = mark.substr(name.size());
  if (mark.empty()) return "$";
  if (name == "RepresentationID") return std::string(values.id);
  if (name == "Bandwidth") return formatted(format, values.bandwidth);
  if (name == "Number") return formatted(format, values.number);
  if (name == "Time") return formatted(format, values.time);
  return std::nullopt;
}

}  // namespace

bool changes_by_segment(std::string_view text) { return text.contains("$Number") || text.contains("$Time"); }

std::optional<std::string> fill_in(std::string_view text, const SegmentValues& values, size_t longest) {
  std::string out;
  if (text.size() > longest) return std::string(text.substr(0, longest + 1));
  const SegmentValues bounded{.id = values.id.substr(0, longest + 1),
                              .bandwidth = values.bandwidth,
                              .number = values.number,
                              .time = values.time};
  while (out.size() <= longest) {
    const size_t open = text.find('$');
    out += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const size_t close = text.find('$', open + 1);
    if (close == std::string_view::npos) return std::nullopt;
    const auto value = value_of_mark(text.substr(open + 1, close - open - 1), bounded);
    if (!value) return std::nullopt;
    out += *value;
    text.remove_prefix(close + 1);
  }
  return out.substr(0, longest + 1);
}

}  // namespace caddis::extract
