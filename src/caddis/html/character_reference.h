// Character references of HTML: `&amp;`, `&#160;`, `&notit;` (HTML Standard, 13.2.5.72 and 13.5).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace caddis::html {

// `text` begins with '&'. Appends to `out` what the reference at its front stands for and returns how many bytes of
// `text` it takes; 0 where there is no reference, and then nothing is appended. In an attribute value `&copy=1` is no
// reference.
size_t append_reference(std::string& out, std::string_view text, bool in_attribute);

// Appends `text` with all its references resolved.
void append_unescaped(std::string& out, std::string_view text, bool in_attribute);

}  // namespace caddis::html
