// UrlParser::parse_normal: the glance that spares most links the parser. It accepts only what the parser would leave as
// it is.
#include <array>

#include "caddis/base/strings.h"
#include "caddis/url/percent.h"
#include "caddis/url/url_parser.h"

namespace caddis::url {
namespace {

// Bytes that may stand in the part as they are, in a special URL. '\\' is a slash in a special URL's path.
constexpr ByteSet kNotInPath = kPathSet.with("?#\\");
constexpr ByteSet kNotInQuery = kSpecialQuerySet;
constexpr ByteSet kNotInFragment = kFragmentSet;

constexpr bool is_plain_host_char(char c) {
  return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-' || c == '.' || c == '_';
}

// True for a host that cannot be an IPv4 address: its last label begins with a letter.
bool is_plain_host(std::string_view host) {
  const size_t dot = host.rfind('.');
  const std::string_view last = dot == std::string_view::npos ? host : host.substr(dot + 1);
  return !last.empty() && is_alpha(last.front());
}

// `at` is behind a slash: would this segment be taken for a dot segment? Says yes too readily.
bool maybe_dots(std::string_view input, size_t at) {
  return at < input.size() && (input[at] == '.' || input[at] == '%');
}

}  // namespace

std::optional<Url> UrlParser::parse_normal(std::string_view input) {
  const uint32_t protocol_end = input.starts_with("http://") ? 5 : input.starts_with("https://") ? 6 : 0;
  if (protocol_end == 0) return std::nullopt;
  const size_t host_start = protocol_end + 2;
  size_t at = host_start;
  while (at < input.size() && is_plain_host_char(input[at])) ++at;
  if (at == input.size() || input[at] != '/' || !is_plain_host(input.substr(host_start, at - host_start)))
    return std::nullopt;
  const size_t path_start = at;
  for (; at < input.size() && !kNotInPath.has(input[at]); ++at) {
    if (input[at] == '/' && maybe_dots(input, at + 1)) return std::nullopt;
  }
  const size_t search_start = at;
  if (at < input.size() && input[at] == '?') {
    for (++at; at < input.size() && !kNotInQuery.has(input[at]);) ++at;
  }
  const size_t hash_start = at;
  if (at < input.size() && input[at] == '#') {
    for (++at; at < input.size() && !kNotInFragment.has(input[at]);) ++at;
  }
  if (at != input.size()) return std::nullopt;
  Url url;
  url.href_ = input;
  url.protocol_end_ = protocol_end;
  url.username_end_ = url.host_start_ = static_cast<uint32_t>(host_start);
  url.host_end_ = url.pathname_start_ = static_cast<uint32_t>(path_start);
  url.search_start_ = static_cast<uint32_t>(search_start);
  url.hash_start_ = static_cast<uint32_t>(hash_start);
  url.is_http_ = url.is_special_ = true;
  return url;
}

}  // namespace caddis::url
