// Text that came from elsewhere, for a line that people read: of a log, a report, a message or a terminal. Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace caddis {

// `text` on one line, and as it is: control characters (line ends, which would begin another entry, and what steers
// terminals), marks that turn the direction of writing, and bytes that are no UTF-8 are spelled out: "\n", "\x1b",
// "\u202e". Everything else stays, backslashes too: it is for reading, not for reading back. Of more than `most` bytes
// the first, and "…".
std::string visible(std::string_view text, size_t most = std::string_view::npos);

// So much of a value is quoted in a message.
inline constexpr size_t kQuoted = 200;

// A control character of ASCII: below a blank, or DEL.
constexpr bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }
bool has_control_character(std::string_view text);

}  // namespace caddis
