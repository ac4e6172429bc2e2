// The small grammars inside HTTP field values (RFC 9110 section 5.6): tokens, quoted strings, lists, parameters.
//
// Lenient: whatever the input, something sensible comes out, in linear time. Views borrow from the input.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace caddis::http {

// token = 1*tchar
bool is_token(std::string_view text);

// The items of a comma-separated list, blanks around them removed, empty ones left out. Commas in quoted strings and
// (for Link) in <...> do not separate.
std::vector<std::string_view> split_list(std::string_view value);

// A quoted string without its quotes and escapes; anything else as it is.
std::string unquote(std::string_view value);

// `; name=value` parameters, in order. Names as they came; values without quotes.
struct Parameter {
  std::string_view name;
  std::string value;
};
// `text` begins behind the item they belong to: with ';' or blank. At most 100.
std::vector<Parameter> parse_parameters(std::string_view text);

// "Basic dXNlcjpwYXNz" (RFC 7617), for Authorization and Proxy-Authorization.
std::string basic_credentials(std::string_view user, std::string_view password);

}  // namespace caddis::http
