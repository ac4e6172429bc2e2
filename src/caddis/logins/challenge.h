// Challenges of a server or a proxy: the fields WWW-Authenticate and Proxy-Authenticate (RFC 9110, section 11.6.1).
//
// Pure functions, linear in the field. Whatever the input, what can be read of it comes out.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/http/head.h"

namespace caddis::logins {

struct Challenge {
  std::string scheme;                                       // lower case
  std::vector<std::pair<std::string, std::string>> values;  // names in lower case, values without quotes; at most 50

  // The first value of that name.
  std::optional<std::string_view> find(std::string_view name) const;
  // The realm; empty if none is named.
  std::string_view realm() const { return find("realm").value_or(""); }
};

// At most 20, in the order in which they stand in the field.
std::vector<Challenge> parse_challenges(std::string_view field);

// All that a head has. `field`: "www-authenticate" or "proxy-authenticate".
std::vector<Challenge> challenges_of(const http::Head& head, std::string_view field);

}  // namespace caddis::logins
