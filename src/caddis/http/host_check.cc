#include "caddis/http/host_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/url/ip.h"

namespace caddis::http {
namespace {

// "[::1]:80" is an address in brackets, and a port.
bool is_bracketed(std::string_view field) { return field.starts_with('['); }

bool is_host_char(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte > 0x20 && byte != 0x7f && std::string_view(":/?#[]@\\").find(c) == std::string_view::npos;
}

bool is_own_name(std::string_view name) { return name == "localhost" || name.ends_with(".localhost"); }

}  // namespace

std::string host_of(std::string_view field) {
  std::string_view host = field, port;
  if (is_bracketed(field)) {
    const size_t end = field.find(']');
    if (end == std::string_view::npos || !url::parse_ipv6(field.substr(1, end - 1))) return {};
    host = field.substr(1, end - 1);
    port = field.substr(end + 1);
  } else {
    const size_t colon = std::min(field.find(':'), field.size());
    host = field.substr(0, colon);
    port = field.substr(colon);
    if (!std::ranges::all_of(host, is_host_char)) return {};
    if (host.ends_with('.')) host.remove_suffix(1);
  }
  const bool is_port = port.empty() || (port.front() == ':' && std::ranges::all_of(port.substr(1), is_digit));
  return is_port ? to_lower(host) : std::string();
}

bool is_own_host(std::string_view field, std::span<const std::string> names) {
  if (field.empty()) return true;
  const std::string host = host_of(field);
  if (host.empty()) return false;
  if (is_bracketed(field) || url::parse_ipv4(host) || is_own_name(host)) return true;
  return std::ranges::any_of(names, [&](const std::string& name) { return host_of(name) == host; });
}

std::string other_host_message(std::string_view field) {
  std::string shown(field.substr(0, 100));
  std::ranges::replace_if(shown, [](char c) { return c < 0x20 || c == 0x7f; }, '?');
  return fmt::format("this server is not known as '{}': ask under its address, or as localhost", shown);
}

}  // namespace caddis::http
