#include "caddis/dns/local_names.h"

#include <arpa/inet.h>

#include <array>

#include "caddis/base/strings.h"

namespace caddis::dns {

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
    const size_t equals = line.find('=');
    const std::string host = normal_host(trim(std::string_view(line).substr(0, equals)));
    if (equals == std::string::npos || host.empty()) {
      return fail(ErrorCode::config, "the fixed host \"" + line + "\" is not of the form name=address[,address]");
    }
    for (const std::string_view part : split(std::string_view(line).substr(equals + 1), ',')) {
      const auto address = parse_address(std::string(trim(part)));
      if (!address) {
        return fail(ErrorCode::config,
                    "\"" + std::string(part) + "\" of the fixed host \"" + line + "\" is no IPv4 or IPv6 address");
      }
      names.fixed_[host].push_back(*address);
    }
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
