// Product tokens (RFC 9309, 2.2.1): letters, "-" and "_" only, compared without case. Pure functions.
#pragma once

#include <string_view>

namespace caddis::robots {

// Whether all of `text` is a product token.
bool is_product_token(std::string_view text);

// The token a crawler goes by: `agent` itself where it is one; the first "name/version" of a User-Agent header,
// "Mozilla" passed over where another follows ("Mozilla/5.0 (compatible; caddis/0.1; +https://…)" is "caddis");
// otherwise empty, which only `*` groups match.
std::string_view product_token(std::string_view agent);

// The token that a "User-agent:" line names: its leading token characters ("Foo Bar/1.0" is "Foo"), "*" for everyone.
std::string_view named_token(std::string_view value);

}  // namespace caddis::robots
