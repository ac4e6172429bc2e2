// URLs in fields of HTTP that are no UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace caddis::url {

// The text, or if it is no UTF-8 its bytes above 0x7F as %XX. Such bytes are meant as they stand, and browsers ask for them so;
// the URL parser would make U+FFFD of them.
std::string as_sent(std::string_view value);

}  // namespace caddis::url
