// A row of the state: the cookies of one domain in one jar, as lines of text (docs/formats/cookies.md). Pure functions,
// any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/cookies/cookie.h"

namespace caddis::cookies {

// Domains are not written: the key of the row has it.
std::string write_row(std::span<const Cookie> cookies);
// ErrorCode::corrupt if it is no row.
Result<std::vector<Cookie>> read_row(std::string_view row, std::string_view domain);

}  // namespace caddis::cookies
