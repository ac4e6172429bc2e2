// What a text must be for the place where it ends up: a row names its check (schema.h), and every way in (files,
// sheets, options, the control API, stored settings) asks it. An error says what is wrong with the value, without
// naming the setting. Pure functions, any thread.
#pragma once

#include <string_view>

#include "caddis/base/error.h"

namespace caddis::settings {

using Check = Result<void> (*)(std::string_view text);

// Of rows that name none: logs, reports and warcinfo have it on one line. Tabs are allowed, other control characters
// are not.
Result<void> single_line(std::string_view text);
// Anything: whoever uses it takes care of it.
Result<void> free_text(std::string_view text);
// What a header may have as its value (RFC 9110, 5.5), and servers take: no control characters, 8000 bytes at most.
Result<void> header_value(std::string_view text);
// A name, or a part of one, of a file or folder in a folder of Caddis's own: it cannot lead out of there, and is not
// hidden.
Result<void> file_name_part(std::string_view text);

}  // namespace caddis::settings
