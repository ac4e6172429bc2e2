// The tokens of the notation of key policies (docs/formats/key-policy.md), internal to the module: words between blanks,
// arguments in parentheses, guards behind '@'. Parentheses in arguments are balanced, or have a backslash before them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::url {

struct KeyToken {
  size_t at = 0;  // where it stands in the notation
  std::string_view text;
  std::string_view name;  // without sign
  char sign = 0;          // '+', '-' or none
  bool has_arguments = false;
  std::string_view arguments;
  std::vector<std::string_view> guards;  // without '@'
};

// Words between blanks that stand outside parentheses.
Result<std::vector<KeyToken>> key_tokens(std::string_view notation);

// Where the parenthesis that opens at `open` closes.
Result<size_t> closing_parenthesis(std::string_view text, size_t open);
// The items of a list in arguments, between blanks; backslashes before parentheses are taken away.
std::vector<std::string> list_items(std::string_view arguments);
// An item with a backslash before each parenthesis.
std::string escape_item(std::string_view item);

}  // namespace caddis::url
