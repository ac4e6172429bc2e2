#include "caddis/dns/local_names.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>

#include "caddis/base/strings.h"
#include "caddis/base/visible.h"

namespace caddis::dns {
namespace {

constexpr size_t kLongestName = 253;  // RFC 1035, 2.3.4

// As URLs have it: letters, digits, '-' and '_', or an IPv6 address.
bool is_host_name(std::string_view host) {
  if (host.empty() || host.size() > kLongestName || host.front() == '.' || host.find("..") != host.npos) return false;
  return parse_address(std::string(host)).has_value() ||
         std::ranges::all_of(host, [](char c) { return is_alnum(c) || c == '-' || c == '_' || c == '.'; });
}

struct FixedHost {
  std::string name;
  std::vector<Address> addresses;
};

Result<FixedHost> parse_fixed_host(std::string_view line) {
  const auto refuse = [&](const std::string& why) {
    return fail(ErrorCode::config, "the fixed host \"" + visible(line, kQuoted) + "\" " + why);
  };
  const size_t equals = line.find('=');
  FixedHost fixed{normal_host(trim(line.substr(0, equals))), {}};
  if (equals == std::string_view::npos || fixed.name.empty())
    return refuse("is not of the form name=address[,address]");
  if (!is_host_name(fixed.name))
    return refuse("begins with no host name: letters, digits, '-', '_' and '.', other scripts as xn--…");
  for (const std::string_view part : split(line.substr(equals + 1), ',')) {
    const std::string_view text = trim(part);
    const auto address = has_control_character(text) ? std::nullopt : parse_address(std::string(text));
    if (!address) return refuse("has \"" + visible(text, kQuoted) + "\", which is no IPv4 or IPv6 address");
    fixed.addresses.push_back(*address);
  }
  return fixed;
}

bool is_port(std::string_view text) {
  const auto port = parse_int(text);
  return port && *port > 0 && *port <= 65535 && is_digit(text.front());
}

// Of an IPv6 address: the interface of a link-local one.
bool is_zone(std::string_view text) {
  constexpr size_t kLongest = 15;  // names of interfaces
  return !text.empty() && text.size() <= kLongest &&
         std::ranges::all_of(text, [](char c) { return is_alnum(c) || c == '-' || c == '_' || c == '.'; });
}

bool is_address(std::string_view text, bool v6) {
  const size_t percent = v6 ? text.find('%') : text.npos;
  if (percent != text.npos && !is_zone(text.substr(percent + 1))) return false;
  const auto address = has_control_character(text) ? std::nullopt : parse_address(std::string(text.substr(0, percent)));
  return address && address->v6 == v6;
}

bool is_server(std::string_view text) {
  if (text.starts_with('[')) {
    const size_t close = text.find(']');
    if (close == text.npos || !is_address(text.substr(1, close - 1), true)) return false;
    const std::string_view rest = text.substr(close + 1);
    return rest.empty() || (rest.front() == ':' && is_port(rest.substr(1)));
  }
  if (std::ranges::count(text, ':') > 1) return is_address(text, true);
  const size_t colon = text.find(':');
  return is_address(text.substr(0, colon), false) && (colon == text.npos || is_port(text.substr(colon + 1)));
}

}  // namespace

Result<void> check_server(std::string_view text) {
  if (is_server(text)) return {};
  return fail(ErrorCode::config, "the name server \"" + visible(text, kQuoted) +
                                     "\" is not of the form address[:port], as 192.0.2.53, 192.0.2.53:5353 or "
                                     "[2001:db8::53]:53");
}

Result<void> check_fixed_host(std::string_view text) {
  TRY([[maybe_unused]] const FixedHost fixed, parse_fixed_host(text));
  return {};
}

std::string normal_host(std::string_view host) {
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (host.size() > 1 && host.ends_with('.')) host.remove_suffix(1);
  return to_lower(host);
}

std::optional<Address> parse_address(const std::string& text) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  for (const int family : {AF_INET, AF_INET6}) {
    if (inet_pton(family, text.c_str(), bytes.data()) != 1) continue;
    std::array<char, INET6_ADDRSTRLEN> normal{};
    inet_ntop(family, bytes.data(), normal.data(), normal.size());
    return Address(normal.data(), family == AF_INET6);
  }
  return std::nullopt;
}

Result<LocalNames> LocalNames::create(const std::vector<std::string>& hosts) {
  LocalNames names;
  for (const std::string& line : hosts) {
    TRY(const FixedHost fixed, parse_fixed_host(line));
    auto& known = names.fixed_[fixed.name];
    known.insert(known.end(), fixed.addresses.begin(), fixed.addresses.end());
  }
  return names;
}

std::optional<std::vector<Address>> LocalNames::find(const std::string& host) const {
  if (const auto fixed = fixed_.find(host); fixed != fixed_.end()) return fixed->second;
  if (const auto literal = parse_address(host)) return std::vector<Address>(1, *literal);
  if (host == "localhost" || host.ends_with(".localhost")) {
    return std::vector<Address>{Address("127.0.0.1", false), Address("::1", true)};
  }
  return std::nullopt;
}

}  // namespace caddis::dns
