#include "caddis/robots/agent.h"

#include <algorithm>

#include "caddis/base/strings.h"

namespace caddis::robots {
namespace {

bool is_token_char(char c) { return is_alpha(c) || c == '-' || c == '_'; }

std::string_view leading_token(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && is_token_char(text[end])) ++end;
  return text.substr(0, end);
}

}  // namespace

bool is_product_token(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_token_char); }

std::string_view product_token(std::string_view agent) {
  if (is_product_token(agent)) return agent;
  std::string_view mozilla;
  for (size_t at = 0; at < agent.size();) {
    const std::string_view token = leading_token(agent.substr(at));
    const size_t end = at + token.size();
    const bool versioned = !token.empty() && end < agent.size() && agent[end] == '/' && (end + 1 < agent.size()) &&
                           is_digit(agent[end + 1]);
    if (versioned && !equals_ignore_case(token, "Mozilla")) return token;
    if (versioned) mozilla = token;
    at = end + 1;
  }
  return mozilla;
}

std::string_view named_token(std::string_view value) {
  if (value == "*" || (value.starts_with('*') && value.size() > 1 && is_space(value[1]))) return value.substr(0, 1);
  return leading_token(value);
}

}  // namespace caddis::robots
