#include "caddis/base/visible.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "caddis/base/utf8.h"

namespace caddis {
namespace {

bool is_plain(unsigned char byte) { return byte >= 0x20 && byte < 0x7f; }

// C1 controls, line and paragraph separators, embeddings, overrides and isolates of direction.
bool is_hidden(char32_t c) {
  return (c >= 0x80 && c < 0xa0) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
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

std::string visible(std::string_view text) {
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
