#include "caddis/url/percent.h"

#include "caddis/base/strings.h"

namespace caddis::url {

void append_escaped(std::string& out, unsigned char byte) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  const char triple[3] = {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  out.append(triple, 3);
}

void append_escaped(std::string& out, std::string_view text, const ByteSet& set) {
  for (;;) {
    const size_t run = find_byte(text, set);
    out += text.substr(0, run);
    if (run == text.size()) return;
    append_escaped(out, static_cast<unsigned char>(text[run]));
    text.remove_prefix(run + 1);
  }
}

std::string percent_decode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      const int high = hex_value(text[i + 1]);
      const int low = hex_value(text[i + 2]);
      if (high >= 0 && low >= 0) {
        out += static_cast<char>(high * 16 + low);
        i += 2;
        continue;
      }
    }
    out += text[i];
  }
  return out;
}

}  // namespace caddis::url
