// Percent-encoding (RFC 3986, 2.1) of a value for a query or a path.
#pragma once

#include <string>
#include <string_view>

#include "caddis/base/strings.h"

namespace caddis {

// Every byte that is not unreserved (RFC 3986, 2.3) becomes %XX.
inline std::string percent_encoded(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (is_letter || is_digit(c) || std::string_view("-._~").contains(c))
      out += c;
    else
      out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return out;
}

}  // namespace caddis
