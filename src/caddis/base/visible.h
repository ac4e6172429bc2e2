// Text that came from elsewhere, for a line that people read: of a log, a report or a terminal. Any thread.
#pragma once

#include <string>
#include <string_view>

namespace caddis {

// `text` on one line, and as it is: control characters (line ends, which would begin another entry, and what steers
// terminals), marks that turn the direction of writing, and bytes that are no UTF-8 are spelled out: "\n", "\x1b",
// "\u202e". Everything else stays, backslashes too: it is for reading, not for reading back.
std::string visible(std::string_view text);

}  // namespace caddis
