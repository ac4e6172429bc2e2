#include "caddis/base/blank_line.h"

namespace caddis {
namespace {

// What Python's str.rstrip takes from the end of a line of bytes below 0x80.
constexpr bool is_invisible(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= 0x09 && byte <= 0x0d) || (byte >= 0x1c && byte <= 0x20);
}

}  // namespace

size_t after_blank_line(std::string_view text) {
  for (size_t begin = 0; begin < text.size();) {
    size_t at = begin;
    while (at < text.size() && text[at] != '\n' && is_invisible(text[at])) ++at;
    if (at < text.size() && text[at] == '\n') return at + 1;
    const size_t end = text.find('\n', at);
    if (end == std::string_view::npos) break;
    begin = end + 1;
  }
  return std::string_view::npos;
}

}  // namespace caddis
