#include "simweb/world/names.h"

#include <charconv>

#include "caddis/base/strings.h"
#include "simweb/world/put.h"

namespace simweb {
namespace {

constexpr uint64_t kHostsOfSite = 4;

// The base36 number in front of the next dot, which is removed as well.
std::optional<uint64_t> take_number(std::string_view& text) {
  const size_t dot = text.find('.');
  if (dot == text.npos || dot == 0 || dot > 12) return {};
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + dot, number, 36);
  if (error != std::errc() || end != text.data() + dot) return {};
  text.remove_prefix(dot + 1);
  return number;
}

template <class Put>
void append(std::string& out, Put&& put_all) {
  char buffer[kMaxPut];
  out.append(buffer, static_cast<size_t>(put_all(buffer) - buffer));
}

}  // namespace

char* put_host_name(char* at, HostId id) {
  *at++ = 'h';
  at = put_base36(at, id);
  at = put(at, ".s");
  at = put_base36(at, id / kHostsOfSite);
  return put(at, ".test");
}

char* put_origin(char* at, const WebSettings& settings, HostId id, bool https) {
  at = put(at, https ? "https://" : "http://");
  at = put_host_name(at, id);
  const uint64_t port = https ? settings.https_port : settings.http_port;
  if (port == (https ? 443 : 80)) return at;
  *at++ = ':';
  return put_decimal(at, port);
}

void append_base36(std::string& out, uint64_t number) {
  append(out, [&](char* at) { return put_base36(at, number); });
}
void append_decimal(std::string& out, uint64_t number) {
  append(out, [&](char* at) { return put_decimal(at, number); });
}
void append_host_name(std::string& out, HostId id) {
  append(out, [&](char* at) { return put_host_name(at, id); });
}
void append_origin(std::string& out, const WebSettings& settings, HostId id, bool https) {
  append(out, [&](char* at) { return put_origin(at, settings, id, https); });
}

std::optional<ParsedName> parse_host_name(std::string_view name) {
  if (!name.empty() && name.back() == '.') name.remove_suffix(1);
  if (name.size() > kMaxHostName || name.size() < 2) return {};
  const std::string lower = caddis::to_lower(name);
  std::string_view rest = lower;
  ParsedName parsed;
  if (rest[0] == 'w' || rest[0] == 'c') {
    parsed.prefix = rest[0];
    rest.remove_prefix(1);
    const auto number = take_number(rest);
    if (!number) return {};
    parsed.number = *number;
  }
  if (rest.empty() || rest[0] != 'h') return {};
  rest.remove_prefix(1);
  const auto id = take_number(rest);
  if (!id) return {};
  parsed.id = *id;
  // Whatever was read otherwise than it is written is another name.
  std::string again;
  if (parsed.prefix != 0) {
    again += parsed.prefix;
    append_base36(again, parsed.number);
    again += '.';
  }
  append_host_name(again, parsed.id);
  if (again != lower) return {};
  return parsed;
}

}  // namespace simweb
