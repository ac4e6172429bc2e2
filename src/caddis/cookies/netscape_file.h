// The file of cookies that Netscape had, and that curl, wget and browsers' tools read and write ("cookies.txt"): a line a
// cookie, seven fields between tabs. `#HttpOnly_` in front of the domain says that scripts do not see it.
//
//   domain  TRUE for hosts below it, too  path  TRUE for TLS alone  expiry in Unix time, 0: none  name  value
//
// Pure functions, any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/cookies/cookie.h"

namespace caddis::cookies {

struct CookieFile {
  std::vector<Cookie> cookies;
  size_t expired = 0;  // that are left out
};

// Made at `now`; those that have expired by then are left out. ErrorCode::parse names the line that is none.
Result<CookieFile> parse_netscape_file(std::string_view text, WallTime now);

std::string netscape_file(std::span<const Cookie> cookies);

}  // namespace caddis::cookies
