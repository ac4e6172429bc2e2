#include "caddis/base/printable.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/utf8.h"

namespace caddis {
namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// Of those beyond ASCII, what does something to a terminal or to the text around it.
bool acts(char32_t c) {
  return (c >= 0x80 && c < 0xa0) || (c >= 0x200e && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069) || c == 0x061c || c == 0xfeff;
}

}  // namespace

bool has_control_character(std::string_view text) { return std::ranges::any_of(text, is_control); }

std::string printable(std::string_view text, size_t most) {
  std::string out;
  const size_t size = text.size();
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    if (size - text.size() + std::max<size_t>(length, 1) > most) return out + "…";
    if (length == 0 || (length == 1 && is_control(text.front()))) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
      text.remove_prefix(1);
      continue;
    }
    const std::string_view as_it_is = text.substr(0, length);
    const char32_t c = take_utf8(text);
    if (acts(c))
      out += fmt::format("\\u{{{:x}}}", static_cast<uint32_t>(c));
    else
      out += as_it_is;
  }
  return out;
}

}  // namespace caddis
