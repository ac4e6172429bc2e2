#include "simweb/world/names.h"

#include <charconv>

#include "caddis/base/strings.h"

namespace simweb {
namespace {

constexpr uint64_t kHostsOfSite = 4;

void append_number(std::string& out, uint64_t number, int base) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, number, base).ptr;
  out.append(digits, static_cast<size_t>(end - digits));
}

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

}  // namespace

void append_base36(std::string& out, uint64_t number) { append_number(out, number, 36); }
void append_decimal(std::string& out, uint64_t number) { append_number(out, number, 10); }

void append_host_name(std::string& out, HostId id) {
  out += 'h';
  append_base36(out, id);
  out += ".s";
  append_base36(out, id / kHostsOfSite);
  out += ".test";
}

void append_port(std::string& out, const WebSettings& settings, bool https) {
  const uint64_t port = https ? settings.https_port : settings.http_port;
  if (port == (https ? 443 : 80)) return;
  out += ':';
  append_decimal(out, port);
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
