// Small ASCII string helpers. Bytes travel as std::string_view throughout Caddis: a view is borrowed, a std::string is
// owned.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace caddis {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_alnum(char c) { return is_digit(c) || is_alpha(c); }
constexpr bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }
constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
// 0 to 15, or -1 where `c` is no hexadecimal digit.
constexpr int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  const char low = to_lower(c);
  return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

std::string to_lower(std::string_view text);
std::string_view trim(std::string_view text);
bool equals_ignore_case(std::string_view a, std::string_view b);
bool starts_with_ignore_case(std::string_view text, std::string_view prefix);
bool contains_ignore_case(std::string_view text, std::string_view part);
// Parts between separators, empty ones included; views into `text`.
std::vector<std::string_view> split(std::string_view text, char separator);
// The whole of `text` as a decimal number, or nothing.
std::optional<int64_t> parse_int(std::string_view text);
std::string to_hex(std::string_view bytes);
// Nothing where it is no even number of hexadecimal digits.
std::optional<std::string> from_hex(std::string_view text);

// The nearest of `names` by edit distance, for "did you mean"; empty where none is near.
std::string nearest_name(std::string_view name, const std::vector<std::string>& names);

}  // namespace caddis
