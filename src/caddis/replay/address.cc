#include "caddis/replay/address.h"

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/url/percent.h"

namespace caddis::replay {
namespace {

std::string_view take_digits(std::string_view& text) {
  size_t n = 0;
  while (n < text.size() && is_digit(text[n])) ++n;
  const std::string_view digits = text.substr(0, n);
  text.remove_prefix(n);
  return digits;
}

// "im_", or "$" with letters, digits and ":.-": empty where none stands at the front.
std::string_view take_modifier(std::string_view& text) {
  size_t n = 0;
  if (text.starts_with('$')) {
    n = 1;
    while (n < text.size() && (is_alnum(text[n]) || text[n] == ':' || text[n] == '.' || text[n] == '-')) ++n;
  } else {
    while (n < text.size() && text[n] >= 'a' && text[n] <= 'z') ++n;
    if (n == 0 || n == text.size() || text[n] != '_') return {};
    ++n;
  }
  if (n == text.size() || text[n] != '/') return {};
  const std::string_view name = text.substr(0, n);
  text.remove_prefix(n);
  return name;
}

// The length of a scheme with its colon at the front of `text`, 0 where there is none.
size_t scheme_length(std::string_view text) {
  size_t n = 0;
  while (n < text.size() && (is_alnum(text[n]) || text[n] == '+' || text[n] == '-' || text[n] == '.')) ++n;
  return n > 0 && n < text.size() && text[n] == ':' && is_alpha(text[0]) ? n + 1 : 0;
}

bool says_http(std::string_view text) {
  for (const std::string_view scheme : {"https", "http"}) {
    if (!starts_with_ignore_case(text, scheme)) continue;
    const std::string_view rest = text.substr(scheme.size());
    return rest.starts_with(':') || starts_with_ignore_case(rest, "%3a");
  }
  return false;
}

// "/example.org%3A8080/x%3Ay": the colon in front of a port is one, whatever else was escaped.
std::string with_plain_port(std::string_view rest) {
  const size_t begin = std::min(rest.find_first_not_of('/'), rest.size());
  const size_t end = std::min(rest.find_first_of("/?#", begin), rest.size());
  std::string_view port = rest.substr(begin, end - begin);
  const size_t colon = to_lower(port).rfind("%3a");
  if (colon == std::string::npos) return std::string(rest);
  port.remove_prefix(colon + 3);
  if (take_digits(port).empty() || !port.empty()) return std::string(rest);
  return std::string(rest.substr(0, begin + colon)) + ':' + std::string(rest.substr(begin + colon + 3));
}

std::optional<Address> parse_period(std::string_view text) {
  Address address;
  address.from = take_digits(text);
  if (text.empty() || (text.front() != '*' && text.front() != '-')) return std::nullopt;
  const bool is_starred = text.front() == '*';
  text.remove_prefix(1);
  address.to = take_digits(text);
  // The Internet Archive asks so for the calendar of a year: "20260000000000*/url".
  if (is_starred && address.to.empty() && address.from.size() >= 14) address.from.resize(4);
  // "2026*/url" is all of 2026; "2026-/url" is from 2026 on.
  if (constexpr std::string_view kExact = "exact"; text.starts_with(kExact)) {
    address.is_exact = true;
    text.remove_prefix(kExact.size());
  }
  if (!address.to.empty() && text.starts_with("*/")) text.remove_prefix(1);
  if (text.empty() || text.front() != '/') return std::nullopt;
  text.remove_prefix(1);
  address.kind = Address::Kind::captures;
  if (text.starts_with("*.")) {
    address.kind = Address::Kind::domain;
    text.remove_prefix(2);
    if (text.ends_with('*')) text.remove_suffix(1);
  } else if (text.size() > 1 && text.ends_with('*')) {
    address.kind = Address::Kind::urls;
    text.remove_suffix(1);
  }
  if (text.empty()) return std::nullopt;
  address.url = repair_url(text);
  return address;
}

}  // namespace

std::string_view to_string(Modifier modifier) {
  switch (modifier) {
    case Modifier::page:
      return "";
    case Modifier::main:
      return "mp_";
    case Modifier::frame:
      return "if_";
    case Modifier::script:
      return "js_";
    case Modifier::worker:
      return "wkr_";
    case Modifier::worker_module:
      return "wm_";
    case Modifier::style:
      return "cs_";
    case Modifier::image:
      return "im_";
    case Modifier::other:
      return "oe_";
    case Modifier::identity:
      return "id_";
  }
  return "";
}

Modifier modifier_from(std::string_view name) {
  if (name.empty()) return Modifier::page;
  if (name == "if_" || name == "fr_") return Modifier::frame;
  if (name == "js_" || name == "sw_") return Modifier::script;
  if (name == "wkr_") return Modifier::worker;
  if (name == "wm_") return Modifier::worker_module;
  if (name == "cs_") return Modifier::style;
  if (name == "im_") return Modifier::image;
  if (name == "oe_") return Modifier::other;
  if (name == "id_" || name == "ir_") return Modifier::identity;
  return Modifier::main;
}

std::string repair_url(std::string_view text) {
  std::string url(text);
  // A scheme whose colon was escaped takes its slashes with it: "http%3A%2F%2Fx", "https%3A//x". Python's quote() leaves
  // slashes, and escapes all else.
  for (const std::string_view scheme : {"http", "https", "ftp"}) {
    if (!starts_with_ignore_case(url, std::string(scheme) + "%3a")) continue;
    size_t end = scheme.size() + 3;
    while (url.size() >= end + 3 && starts_with_ignore_case(std::string_view(url).substr(end), "%2f")) end += 3;
    // With its slashes, the rest was escaped as well, unless it tells otherwise.
    const std::string_view rest = std::string_view(url).substr(end);
    const bool is_whole = rest.starts_with("//")
                              ? rest.find_first_of("?=&:") == rest.npos && to_lower(rest).find("%2f") == rest.npos
                              : rest.find_first_of("/?") == rest.npos;
    url = url::percent_decode(std::string_view(url).substr(0, is_whole ? url.size() : end)) +
          (is_whole ? std::string() : with_plain_port(rest));
    break;
  }
  const size_t scheme = scheme_length(url);
  if (scheme == 0 || (scheme < url.size() && is_digit(url[scheme]))) {
    const size_t slashes = std::min(url.find_first_not_of('/'), url.size());
    return "http://" + url.substr(slashes);
  }
  // "file:/x": the empty host was lost on the way, with its slashes.
  if (starts_with_ignore_case(url, "file:/") && !url.substr(scheme).starts_with("//")) return url.insert(scheme, "//");
  // "https:/x": a slash was lost on the way. Other schemes (urn:, dns:) are left alone.
  if (url[0] == 'h' || url[0] == 'H' || url[0] == 'f' || url[0] == 'F') {
    const std::string_view rest = std::string_view(url).substr(scheme);
    if (rest.starts_with('/') && !rest.starts_with("//")) url.insert(scheme, "/");
  }
  return url;
}

std::string header_url(std::string_view url) {
  std::string out;
  url::append_escaped(out, url, url::kC0ControlSet.with(" "));
  return out;
}

std::optional<Address> parse_address(std::string_view text) {
  if (auto period = parse_period(text)) return period;
  if (text == "*" || text == "*/") return std::nullopt;
  Address address;
  std::string_view rest = text;
  const std::string_view digits = take_digits(rest);
  const std::string_view modifier = take_modifier(rest);
  const bool dated = (!digits.empty() || !modifier.empty()) && rest.starts_with('/') && digits.size() <= 17;
  if (dated) {
    rest.remove_prefix(1);
    address.timestamp = digits;
    address.modifier = modifier_from(modifier);
  } else {
    rest = text;
  }
  if (rest.empty()) return std::nullopt;
  address.url = repair_url(rest);
  if (address.url == "http://") return std::nullopt;
  address.has_scheme = says_http(rest);
  return address;
}

bool is_api(std::string_view rest) {
  return rest == "cdx" || rest.starts_with("cdx?") || rest.starts_with("cdx/search/cdx") ||
         rest.starts_with("timemap/") || rest.starts_with("timegate/");
}

std::optional<Address> capture_address(std::string_view rest) {
  if (is_api(rest)) return std::nullopt;
  auto address = parse_address(rest);
  return address && address->kind == Address::Kind::replay ? address : std::nullopt;
}

}  // namespace caddis::replay
