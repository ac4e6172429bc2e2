// UTF-8 (RFC 3629) without a library.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace caddis {

// The length in bytes (1 to 4) of the well-formed sequence at the front of `text`, 0 where there is none.
size_t utf8_length(std::string_view text);
bool is_utf8(std::string_view text);
// Behind the byte order mark that editors on Windows put at the beginning of a file; all of `text` where there is none.
std::string_view without_byte_order_mark(std::string_view text);
// Appends a code point; surrogates and values over U+10FFFF become U+FFFD.
void append_utf8(std::string& out, char32_t code_point);
// Decodes the sequence at the front and removes it; U+FFFD for a byte that begins none.
char32_t take_utf8(std::string_view& text);

}  // namespace caddis
