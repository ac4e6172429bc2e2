// Small questions about tags and their names. Pure; any thread.
#pragma once

#include <string_view>

#include "caddis/html/tokenizer.h"

namespace caddis::html {

// The value of the attribute of that (lower-case) name; empty if there is none.
inline std::string_view value_of(const Token& tag, std::string_view attribute) {
  const Attribute* const found = tag.find(attribute);
  return found == nullptr ? std::string_view() : found->value;
}

// "r:id" without its prefix.
constexpr std::string_view local_name(std::string_view name) { return name.substr(name.find(':') + 1); }

}  // namespace caddis::html
