// Texts of binary values: base32 (RFC 4648 section 6, upper case, without padding), as digests in WARC and CDX are
// written.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace caddis::io {

std::string base32(std::string_view raw);
void append_base32(std::string& text, std::string_view raw);
// Either case, padding allowed at the end; nothing where a character or the length is wrong.
std::optional<std::string> decode_base32(std::string_view text);
// Standard alphabet, with padding (RFC 4648 section 4).
std::string encode_base64(std::string_view raw);
// Standard or URL-safe alphabet (RFC 4648 sections 4 and 5), padding optional.
std::optional<std::string> decode_base64(std::string_view text);
// Hexadecimal digits of either case.
std::optional<std::string> decode_hex(std::string_view text);

}  // namespace caddis::io
