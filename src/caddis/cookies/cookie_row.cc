#include "caddis/cookies/cookie_row.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "caddis/base/strings.h"

namespace caddis::cookies {
namespace {

constexpr std::string_view kVersion = "1";

int64_t micros(WallTime time) { return time.time_since_epoch().count(); }

// A letter for each property that it has.
std::string letters_of(const Cookie& cookie) {
  constexpr std::string_view kSameSite = "-nls";
  std::string letters(1, kSameSite[static_cast<size_t>(cookie.same_site)]);
  if (cookie.host_only) letters += 'h';
  if (cookie.secure) letters += 't';
  if (cookie.http_only) letters += 'o';
  if (cookie.secret) letters += 'x';
  return letters;
}

bool read_letters(std::string_view letters, Cookie& cookie) {
  cookie.host_only = false;
  for (const char letter : letters) {
    switch (letter) {
      case '-':
        break;
      case 'n':
        cookie.same_site = SameSite::none;
        break;
      case 'l':
        cookie.same_site = SameSite::lax;
        break;
      case 's':
        cookie.same_site = SameSite::strict;
        break;
      case 'h':
        cookie.host_only = true;
        break;
      case 't':
        cookie.secure = true;
        break;
      case 'o':
        cookie.http_only = true;
        break;
      case 'x':
        cookie.secret = true;
        break;
      default:
        return false;
    }
  }
  return true;
}

bool read_time(std::string_view text, WallTime& time) {
  const auto number = parse_int(text);
  if (number) time = WallTime(std::chrono::microseconds(*number));
  return number.has_value();
}

bool read_line(std::string_view line, Cookie& cookie) {
  const auto fields = split(line, '\t');
  if (fields.size() != 7) return false;
  cookie.name = fields[0];
  cookie.value = fields[1];
  cookie.path = fields[2];
  WallTime expires;
  if (fields[6] != "-") {
    if (!read_time(fields[6], expires)) return false;
    cookie.expires = expires;
  }
  return read_letters(fields[3], cookie) && read_time(fields[4], cookie.created) &&
         read_time(fields[5], cookie.accessed);
}

}  // namespace

std::string write_row(std::span<const Cookie> cookies) {
  std::string row = fmt::format("{}\n", kVersion);
  for (const Cookie& cookie : cookies) {
    const std::string expires = cookie.expires ? fmt::format("{}", micros(*cookie.expires)) : "-";
    row += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\n", cookie.name, cookie.value, cookie.path, letters_of(cookie),
                       micros(cookie.created), micros(cookie.accessed), expires);
  }
  return row;
}

Result<std::vector<Cookie>> read_row(std::string_view row, std::string_view domain) {
  const auto damaged = [] { return fail(ErrorCode::corrupt, "the state holds a damaged row of cookies"); };
  auto lines = split(row, '\n');
  if (lines.size() < 2 || lines.front() != kVersion || !lines.back().empty()) return damaged();
  std::vector<Cookie> cookies;
  for (size_t i = 1; i + 1 < lines.size(); ++i) {
    Cookie cookie;
    cookie.domain = domain;
    if (!read_line(lines[i], cookie)) return damaged();
    cookies.push_back(std::move(cookie));
  }
  return cookies;
}

}  // namespace caddis::cookies
