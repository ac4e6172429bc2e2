#include "caddis/cookies/netscape_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/base/visible.h"
#include "caddis/url/domain.h"
#include "caddis/url/url.h"

namespace caddis::cookies {
namespace {

constexpr std::string_view kHttpOnly = "#HttpOnly_";

std::unexpected<Error> bad_line(size_t number, std::string_view why) {
  // A line may hold a secret: it is not shown.
  return fail(ErrorCode::parse, fmt::format("line {}: {}", number, why));
}

// Seconds, perhaps with a fraction, as some tools write them. No number, 0 and -1 (Heritrix) are for the session.
bool read_expiry(std::string_view text, Cookie& cookie) {
  constexpr int64_t kLatest = 253'402'300'799;  // the year 9999
  text = trim(text.substr(0, text.find('.')));
  if (text.empty()) return true;
  const auto seconds = parse_int(text);
  if (!seconds) return false;
  if (*seconds > 0) cookie.expires = WallTime(std::chrono::seconds(std::min(*seconds, kLatest)));
  return true;
}

// Reads the seven fields. Returns why they are none, or nothing.
std::string_view read_fields(const std::vector<std::string_view>& fields, Cookie& cookie) {
  std::string_view domain = trim(fields[0]);
  const bool has_dot = domain.starts_with('.');
  if (has_dot) domain.remove_prefix(1);
  // As hosts of URLs are written: lower case, A-labels.
  const bool is_more = domain.find_first_of("/\\?#@") != std::string_view::npos;
  const auto url = url::Url::parse("http://" + std::string(domain) + "/");
  if (is_more || !url || url->hostname().empty() || url->hostname().starts_with('.') || !url->port().empty())
    return "its first field is no domain";
  cookie.domain = url->hostname();
  cookie.host_only =
      !(has_dot || equals_ignore_case(fields[1], "true")) || url::registrable_domain(cookie.domain).empty();
  cookie.path = fields[2].starts_with('/') ? fields[2] : std::string_view("/");
  cookie.secure = equals_ignore_case(fields[3], "true");
  if (!read_expiry(fields[4], cookie)) return "its fifth field is no time in seconds since 1970";
  cookie.name = trim(fields[5]);
  cookie.value = fields.size() > 6 ? trim(fields[6]) : std::string_view();
  if (cookie.name.empty()) return "the cookie has no name";
  const bool breaks_field = cookie.name.find_first_of("=;") != std::string::npos || cookie.value.contains(';');
  return breaks_field ? "a name has no '=' or ';', and a value no ';'" : "";
}

}  // namespace

Result<CookieFile> parse_netscape_file(std::string_view text, WallTime now) {
  CookieFile file;
  size_t number = 0;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (std::string_view line : split(text, '\n')) {
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    Cookie cookie;
    cookie.http_only = line.starts_with(kHttpOnly);
    if (cookie.http_only) line.remove_prefix(kHttpOnly.size());
    if (trim(line).empty() || line.starts_with('#')) continue;
    if (std::ranges::any_of(line, [](char c) { return is_control(c) && c != '\t'; }))
      return bad_line(number, "it has control characters");
    const auto fields = split(line, '\t');
    if (fields.size() != 6 && fields.size() != 7)
      return bad_line(number, fmt::format("it has {} fields between tabs, and a cookie has 7", fields.size()));
    if (const std::string_view why = read_fields(fields, cookie); !why.empty()) return bad_line(number, why);
    cookie.created = cookie.accessed = now;
    if (!cookie.expires || *cookie.expires > now)
      file.cookies.push_back(std::move(cookie));
    else
      ++file.expired;
  }
  return file;
}

std::string netscape_file(std::span<const Cookie> cookies) {
  // Some readers want this line.
  std::string text = "# Netscape HTTP Cookie File\n";
  const auto truth = [](bool value) { return value ? "TRUE" : "FALSE"; };
  for (const Cookie& cookie : cookies) {
    using std::chrono::seconds;
    const auto expiry = cookie.expires ? std::chrono::ceil<seconds>(*cookie.expires).time_since_epoch() : seconds(0);
    text += fmt::format("{}{}{}\t{}\t{}\t{}\t{}\t{}\t{}\n", cookie.http_only ? kHttpOnly : "",
                        cookie.host_only ? "" : ".", cookie.domain, truth(!cookie.host_only), cookie.path,
                        truth(cookie.secure), expiry.count(), cookie.name, cookie.value);
  }
  return text;
}

}  // namespace caddis::cookies
