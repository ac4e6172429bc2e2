#include "caddis/aio/own_endpoints.h"

#include <arpa/inet.h>
#include <ifaddrs.h>

#include <array>
#include <memory>
#include <optional>
#include <string>

namespace caddis::aio {
namespace {

std::string text_of(int family, const void* address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const char* written = ::inet_ntop(family, address, text.data(), text.size());
  return written == nullptr ? std::string() : std::string(written);
}

// Those of the interfaces, of one family.
std::vector<std::string> addresses_of_machine(int family) {
  ifaddrs* first = nullptr;
  if (::getifaddrs(&first) != 0) return {};
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owned(first, ::freeifaddrs);
  std::vector<std::string> addresses;
  for (const ifaddrs* one = first; one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != family) continue;
    if (family == AF_INET)
      addresses.push_back(text_of(family, &reinterpret_cast<const sockaddr_in*>(one->ifa_addr)->sin_addr));
    else
      addresses.push_back(text_of(family, &reinterpret_cast<const sockaddr_in6*>(one->ifa_addr)->sin6_addr));
  }
  return addresses;
}

// "::ffff:7f00:1", as the URL Standard writes it.
std::optional<std::string> mapped(const std::string& ipv4) {
  in_addr address{};
  if (::inet_pton(AF_INET, ipv4.c_str(), &address) != 1) return std::nullopt;
  const uint32_t bits = ntohl(address.s_addr);
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "::ffff:%x:%x", bits >> 16, bits & 0xffff);
  return text.data();
}

}  // namespace

std::vector<Endpoint> own_endpoints(const Endpoint& listener) {
  const bool is_v6 = listener.address.find(':') != std::string::npos;
  const std::string any = is_v6 ? "::" : "0.0.0.0";
  std::vector<std::string> addresses = {listener.address};
  if (listener.address == any) {
    for (std::string& address : addresses_of_machine(is_v6 ? AF_INET6 : AF_INET))
      addresses.push_back(std::move(address));
  } else if (listener.address == "::1" || listener.address.starts_with("127.")) {
    addresses.push_back(any);
  }
  std::vector<Endpoint> endpoints;
  for (const std::string& address : addresses) {
    endpoints.push_back({address, listener.port});
    if (const auto also = is_v6 ? std::nullopt : mapped(address)) endpoints.push_back({*also, listener.port});
  }
  return endpoints;
}

}  // namespace caddis::aio
