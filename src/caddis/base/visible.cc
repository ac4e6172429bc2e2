#include "caddis/base/visible.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "caddis/base/utf8.h"

namespace caddis {
namespace {

bool is_plain(unsigned char byte) { return byte >= 0x20 && byte < 0x7f; }

// C1 controls, line and paragraph separators, marks, embeddings, overrides and isolates of direction, the mark of
// bytes' order.
bool is_hidden(char32_t c) {
  return (c >= 0x80 && c < 0xa0) || (c >= 0x200e && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069) || c == 0x061c || c == 0xfeff;
}

// The longest beginning of at most `most` bytes that ends with a character.
std::string_view beginning(std::string_view text, size_t most) {
  size_t taken = 0;
  while (taken < text.size()) {
    const size_t next = taken + std::max<size_t>(utf8_length(text.substr(taken)), 1);
    if (next > most) break;
    taken = next;
  }
  return text.substr(0, taken);
}

void append_byte(std::string& out, unsigned char byte) {
  if (byte == '\n')
    out += "\\n";
  else if (byte == '\r')
    out += "\\r";
  else if (byte == '\t')
    out += "\\t";
  else
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte);
}

}  // namespace

bool has_control_character(std::string_view text) { return std::ranges::any_of(text, is_control); }

std::string visible(std::string_view text, size_t most) {
  if (text.size() > most) return visible(beginning(text, most)) + "…";
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto plain = static_cast<size_t>(std::ranges::find_if_not(text, is_plain) - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const size_t length = utf8_length(text);
    if (length < 2) {
      append_byte(out, static_cast<unsigned char>(text.front()));
      text.remove_prefix(1);
      continue;
    }
    const std::string_view whole = text.substr(0, length);
    const char32_t c = take_utf8(text);
    if (is_hidden(c))
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<uint32_t>(c));
    else
      out += whole;
  }
  return out;
}

}  // namespace caddis
