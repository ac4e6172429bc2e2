#include "caddis/cookies/set_cookie.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "caddis/base/strings.h"
#include "caddis/base/visible.h"
#include "caddis/url/url.h"

namespace caddis::cookies {
namespace {

// Longer values of attributes are ignored, as browsers do.
constexpr size_t kLongestAttribute = 1024;

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trim_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Everything in front of the separator, which goes with it.
std::string_view take_until(std::string_view& text, char separator) {
  const size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return part;
}

// A domain in letters of other scripts becomes A-labels, as hosts of URLs are.
std::string domain_of(std::string_view value) {
  if (value.starts_with('.')) value.remove_prefix(1);
  const bool is_ascii = std::ranges::none_of(value, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  if (is_ascii) return to_lower(value);
  const auto url = url::Url::parse("http://" + std::string(value) + "/");
  return url ? std::string(url->hostname()) : to_lower(value);
}

std::optional<int64_t> max_age_of(std::string_view value) {
  constexpr int64_t kLongest = 3'000'000'000;  // some 95 years
  const bool is_negative = value.starts_with('-');
  if (is_negative) value.remove_prefix(1);
  if (value.empty() || !std::ranges::all_of(value, is_digit)) return std::nullopt;
  if (is_negative) return 0;
  return std::min(parse_int(value).value_or(kLongest), kLongest);
}

SameSite same_site_of(std::string_view value) {
  if (equals_ignore_case(value, "strict")) return SameSite::strict;
  if (equals_ignore_case(value, "lax")) return SameSite::lax;
  return equals_ignore_case(value, "none") ? SameSite::none : SameSite::unset;
}

void take_attribute(SetCookie& cookie, std::string_view name, std::string_view value) {
  if (value.size() > kLongestAttribute) return;
  if (equals_ignore_case(name, "expires")) {
    if (const auto date = parse_cookie_date(value)) cookie.expires = date;
  } else if (equals_ignore_case(name, "max-age")) {
    if (const auto seconds = max_age_of(value)) cookie.max_age = seconds;
  } else if (equals_ignore_case(name, "domain")) {
    cookie.domain = domain_of(value);
  } else if (equals_ignore_case(name, "path")) {
    cookie.path = value.starts_with('/') ? value : std::string_view();
  } else if (equals_ignore_case(name, "secure")) {
    cookie.secure = true;
  } else if (equals_ignore_case(name, "httponly")) {
    cookie.http_only = true;
  } else if (equals_ignore_case(name, "samesite")) {
    cookie.same_site = same_site_of(value);
  }
}

// --- dates (5.1.1): tokens in any order, each tried for what is not there yet

bool is_date_delimiter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == 0x09 || (byte >= 0x20 && byte <= 0x2f) || (byte >= 0x3b && byte <= 0x40) ||
         (byte >= 0x5b && byte <= 0x60) || (byte >= 0x7b && byte <= 0x7e);
}

// A number of `least` to `most` digits at the beginning, and no digit behind it. It goes from the token.
std::optional<int> take_number(std::string_view& token, size_t least, size_t most) {
  size_t digits = 0;
  int value = 0;
  while (digits < token.size() && digits < most && is_digit(token[digits]))
    value = value * 10 + (token[digits++] - '0');
  if (digits < least || (digits < token.size() && is_digit(token[digits]))) return std::nullopt;
  token.remove_prefix(digits);
  return value;
}

struct DateParts {
  std::optional<std::array<int, 3>> time;
  std::optional<int> day, month, year;
};

std::optional<std::array<int, 3>> time_of(std::string_view token) {
  std::array<int, 3> time{};
  for (size_t i = 0; i < time.size(); ++i) {
    if (i > 0) {
      if (!token.starts_with(':')) return std::nullopt;
      token.remove_prefix(1);
    }
    const auto number = take_number(token, 1, 2);
    if (!number) return std::nullopt;
    time[i] = *number;
  }
  return time;
}

std::optional<int> month_of(std::string_view token) {
  constexpr std::array<std::string_view, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun",
                                                        "jul", "aug", "sep", "oct", "nov", "dec"};
  for (size_t i = 0; i < kMonths.size(); ++i)
    if (starts_with_ignore_case(token, kMonths[i])) return static_cast<int>(i + 1);
  return std::nullopt;
}

void take_date_token(DateParts& parts, std::string_view token) {
  if (!parts.time && (parts.time = time_of(token))) return;
  std::string_view rest = token;
  if (!parts.day && (parts.day = take_number(rest, 1, 2))) return;
  if (!parts.month && (parts.month = month_of(token))) return;
  rest = token;
  if (!parts.year) parts.year = take_number(rest, 2, 4);
}

}  // namespace

std::optional<WallTime> parse_cookie_date(std::string_view text) {
  DateParts parts;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && !is_date_delimiter(text[end])) ++end;
    if (end > at) take_date_token(parts, text.substr(at, end - at));
    at = end + 1;
  }
  if (!parts.time || !parts.day || !parts.month || !parts.year) return std::nullopt;
  int year = *parts.year;
  if (year >= 70 && year <= 99) year += 1900;
  if (year <= 69) year += 2000;
  const auto [hour, minute, second] = *parts.time;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(*parts.month)),
                                         std::chrono::day(static_cast<unsigned>(*parts.day))};
  if (year < 1601 || !date.ok() || hour > 23 || minute > 59 || second > 59) return std::nullopt;
  return WallTime(std::chrono::sys_days(date)) + std::chrono::hours(hour) + std::chrono::minutes(minute) +
         std::chrono::seconds(second);
}

std::string default_path(std::string_view url_path) {
  const size_t slash = url_path.rfind('/');
  if (!url_path.starts_with('/') || slash == 0) return "/";
  return std::string(url_path.substr(0, slash));
}

std::optional<SetCookie> parse_set_cookie(std::string_view field) {
  if (std::ranges::any_of(field, [](char c) { return is_control(c) && c != '\t'; })) return std::nullopt;
  std::string_view pair = take_until(field, ';');
  const size_t equals = pair.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  SetCookie cookie;
  cookie.name = trim_blanks(pair.substr(0, equals));
  cookie.value = trim_blanks(pair.substr(equals + 1));
  // No file of cookies could say a tab.
  if (cookie.name.empty() || cookie.name.contains('\t') || cookie.value.contains('\t')) return std::nullopt;
  while (!field.empty()) {
    std::string_view attribute = take_until(field, ';');
    const std::string_view name = trim_blanks(take_until(attribute, '='));
    take_attribute(cookie, name, trim_blanks(attribute));
  }
  if (cookie.path.contains('\t')) return std::nullopt;
  return cookie;
}

}  // namespace caddis::cookies
