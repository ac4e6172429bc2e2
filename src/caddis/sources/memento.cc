#include "caddis/sources/memento.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/http/fields.h"
#include "caddis/url/url.h"

namespace caddis::sources {
namespace {

constexpr std::string_view kOriginal = "x-archive-orig-";

// Fields of the connection to the archive, or of the archive itself.
constexpr std::string_view kNotCaptured[] = {"connection",
                                             "keep-alive",
                                             "transfer-encoding",
                                             "content-length",
                                             "memento-datetime",
                                             "link",
                                             "content-location",
                                             "vary",
                                             "access-control-allow-origin",
                                             "server-timing",
                                             "preference-applied",
                                             "date",
                                             "server",
                                             "x-app-server",
                                             "x-ts",
                                             "x-tr",
                                             "x-location",
                                             "x-cache-key",
                                             "x-rl",
                                             "x-na",
                                             "x-page-cache",
                                             "x-nid",
                                             "referrer-policy",
                                             "permissions-policy",
                                             "x-archive-src",
                                             "x-archive-guessed-content-type",
                                             "x-archive-guessed-charset",
                                             "content-security-policy",
                                             "content-security-policy-report-only",
                                             "set-cookie",
                                             "strict-transport-security",
                                             "cache-control",
                                             "expires",
                                             "pragma",
                                             "age",
                                             "etag",
                                             "last-modified",
                                             "accept-ranges",
                                             "alt-svc",
                                             "trailer",
                                             "upgrade"};

bool has_rel(std::string_view rels, std::string_view wanted) {
  for (const std::string_view rel : split(rels, ' '))
    if (equals_ignore_case(rel, wanted)) return true;
  return false;
}

// The URL behind the time in an address of an archive; the text itself if none stands there.
std::string_view without_archive(std::string_view address) {
  for (size_t at = address.find('/'); at != std::string_view::npos; at = address.find('/', at + 1)) {
    size_t end = at + 1;
    while (end < address.size() && is_digit(address[end])) ++end;
    if (end - at - 1 < 4 || end - at - 1 > 17) continue;
    const size_t slash = address.find('/', end);
    const std::string_view modifier = slash == std::string_view::npos ? "" : address.substr(end, slash - end);
    if (slash == std::string_view::npos || (!modifier.empty() && !modifier.ends_with('_'))) continue;
    return address.substr(slash + 1);
  }
  return address;
}

}  // namespace

MementoLinks parse_memento_links(std::string_view text) {
  MementoLinks found;
  for (const std::string_view item : http::split_list(text)) {
    const size_t close = item.find('>');
    if (!item.starts_with('<') || close == std::string_view::npos) continue;
    const std::string_view address = trim(item.substr(1, close - 1));
    std::string rel, datetime;
    for (const http::Parameter& parameter : http::parse_parameters(item.substr(close + 1))) {
      if (equals_ignore_case(parameter.name, "rel") && rel.empty()) rel = parameter.value;
      if (equals_ignore_case(parameter.name, "datetime")) datetime = parameter.value;
    }
    if (has_rel(rel, "memento")) {
      const auto time = parse_http_date(datetime);
      if (time) found.mementos.push_back({std::string(address), timestamp14(*time)});
    }
    if (has_rel(rel, "timemap")) found.timemaps.emplace_back(address);
    if (has_rel(rel, "original")) found.original = address;
  }
  return found;
}

std::string raw_memento_address(std::string_view address) {
  for (size_t at = address.find('/'); at != std::string_view::npos; at = address.find('/', at + 1)) {
    size_t end = at + 1;
    while (end < address.size() && is_digit(address[end])) ++end;
    if (end - at - 1 != 14) continue;
    size_t behind = end;
    while (behind < address.size() && address[behind] != '/' && address[behind] != '?') ++behind;
    const std::string_view modifier = address.substr(end, behind - end);
    if (behind == address.size() || address[behind] != '/' || (!modifier.empty() && !modifier.ends_with('_'))) continue;
    return std::string(address.substr(0, end)) + "id_" + std::string(address.substr(behind));
  }
  return std::string(address);
}

std::string memento_address(std::string_view prefix, std::string_view timestamp, std::string_view url) {
  return fmt::format("{}{}id_/{}", prefix, timestamp, url);
}

std::string origin_of(std::string_view address) {
  const auto url = url::Url::parse(address);
  if (!url || !url->is_http()) return {};
  return std::string(url->protocol()) + "//" + std::string(url->host());
}

std::string captured_head(const http::ResponseHead& answer) {
  bool has_originals = false;
  for (const http::Field field : answer)
    has_originals = has_originals || starts_with_ignore_case(field.name, kOriginal);
  std::string head = fmt::format("HTTP/1.1 {} {}\r\n", answer.status(), answer.reason());
  for (const http::Field field : answer) {
    std::string_view name = field.name;
    std::string_view value = field.value;
    if (starts_with_ignore_case(name, kOriginal)) {
      name.remove_prefix(kOriginal.size());
      // The body has come without it.
      if (equals_ignore_case(name, "transfer-encoding") || equals_ignore_case(name, "content-length")) continue;
    } else {
      const auto is_same = [&](std::string_view other) { return equals_ignore_case(name, other); };
      if (std::ranges::any_of(kNotCaptured, is_same)) continue;
      const bool is_of_body = is_same("content-type") || is_same("content-encoding") || is_same("location");
      if (has_originals && !is_of_body) continue;
      const std::string original = std::string(kOriginal) + std::string(name);
      if (has_originals && answer.find(original)) continue;
      if (is_same("location")) value = without_archive(value);
    }
    head += fmt::format("{}: {}\r\n", name, value);
  }
  return head + "\r\n";
}

}  // namespace caddis::sources
