// Gzip members for short texts of "Name: value" lines: WARC headers, requests, metadata. Internal to io.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace caddis::io {

// Appends one member over the concatenation of `parts`. Any bytes are taken; other texts only pack worse.
void append_fields_member(std::string& out, std::span<const std::string_view> parts);
// Appends the same as deflate blocks (RFC 1951) that end on a byte and are not the last of their member.
void append_fields_blocks(std::string& out, std::span<const std::string_view> parts);

}  // namespace caddis::io
