// The field Set-Cookie of a response, as browsers read it (RFC 6265, 5.2; dates: 5.1.1). Pure functions, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/cookies/cookie.h"

namespace caddis::cookies {

// The parts of one field, before anybody has judged whether they may be.
struct SetCookie {
  std::string name, value;
  std::string domain;               // lower case, without a leading dot; empty: there is none
  std::string path;                 // empty: there is none
  std::optional<WallTime> expires;  // Expires
  std::optional<int64_t> max_age;   // Max-Age, in seconds; it counts more than `expires`
  SameSite same_site = SameSite::unset;
  bool secure = false, http_only = false;
};

// Returns nothing if there is no name, or if the field has control characters: such a cookie is ignored as a whole.
std::optional<SetCookie> parse_set_cookie(std::string_view field);

// Returns nothing if the text is no date of the years 1601 to 9999.
std::optional<WallTime> parse_cookie_date(std::string_view text);

// The path up to its last slash (RFC 6265, 5.1.4): where a cookie holds that names no path.
std::string default_path(std::string_view url_path);

}  // namespace caddis::cookies
