// The glances that spare most links the parser. UrlParser::parse_normal accepts only what the parser would leave as it
// is, UrlParser::resolve_normal only what it would append to a part of the base.
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

// The port behind `at`, a colon: -1 where the parser would write it otherwise. Moves `at` behind it.
int32_t plain_port(std::string_view input, size_t& at, int32_t default_port) {
  constexpr int32_t kMaxPort = 65535;
  int32_t port = 0;
  const size_t start = ++at;
  for (; at < input.size() && is_digit(input[at]) && port <= kMaxPort; ++at) port = port * 10 + (input[at] - '0');
  const bool as_written = at > start && (input[start] != '0' || at == start + 1);
  return as_written && port <= kMaxPort && port != default_port ? port : -1;
}

}  // namespace

std::optional<Url> UrlParser::parse_normal(std::string_view input) {
  auto url = glance(input);
  if (url) url->href_ = input;
  return url;
}

std::optional<Url> UrlParser::resolve_normal(std::string_view input, const Url& base) {
  // A scheme needs a colon; "//host", "?query" and "#fragment" are for the parser.
  if (input.empty() || !base.is_http() || input.find(':') != std::string_view::npos) return std::nullopt;
  const bool from_root = input.front() == '/';
  if (from_root ? input.starts_with("//") : !is_alpha(input.front()) && !is_digit(input.front())) return std::nullopt;
  const std::string_view path = base.pathname();
  const size_t kept = base.pathname_start_ + (from_root ? 0 : path.rfind('/') + 1);
  std::string joined;
  joined.reserve(kept + input.size());
  joined.append(base.href_, 0, kept).append(input);
  auto url = glance(joined);
  if (url) url->href_ = std::move(joined);
  return url;
}

// All of a Url but its href.
std::optional<Url> UrlParser::glance(std::string_view input) {
  const uint32_t protocol_end = input.starts_with("http://") ? 5 : input.starts_with("https://") ? 6 : 0;
  if (protocol_end == 0) return std::nullopt;
  const size_t host_start = protocol_end + 2;
  size_t at = host_start;
  while (at < input.size() && is_plain_host_char(input[at])) ++at;
  const size_t host_end = at;
  int32_t port = -1;
  if (at < input.size() && input[at] == ':') {
    port = plain_port(input, at, protocol_end == 5 ? 80 : 443);
    if (port < 0) return std::nullopt;
  }
  if (at == input.size() || input[at] != '/' || !is_plain_host(input.substr(host_start, host_end - host_start)))
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
  url.protocol_end_ = protocol_end;
  url.username_end_ = url.host_start_ = static_cast<uint32_t>(host_start);
  url.host_end_ = static_cast<uint32_t>(host_end);
  url.port_ = port;
  url.pathname_start_ = static_cast<uint32_t>(path_start);
  url.search_start_ = static_cast<uint32_t>(search_start);
  url.hash_start_ = static_cast<uint32_t>(hash_start);
  url.is_http_ = url.is_special_ = true;
  return url;
}

}  // namespace caddis::url
