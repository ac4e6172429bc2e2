// Text of others in messages: a name in a settings file, a line that was to be a URL. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace caddis {

// `text` on one line that a terminal only shows: control characters (C0, DEL, C1), line separators and marks that turn
// the direction of writing become \x1b or \u{202e}, bytes that are no UTF-8 become \xff; other text stays as it is.
// Of more than `most` bytes the first, and "…".
std::string printable(std::string_view text, size_t most = 200);

// Whether a character of `text` is a control character: below a blank, or DEL.
bool has_control_character(std::string_view text);

}  // namespace caddis
