#include "caddis/aio/own_endpoints.h"

#include <arpa/inet.h>
#include <ifaddrs.h>

#include <array>
#include <memory>
#include <string>
#include <utility>

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

}  // namespace

std::vector<Endpoint> own_endpoints(const Endpoint& listener) {
  std::vector<Endpoint> endpoints = {listener};
  if (listener.address != "0.0.0.0" && listener.address != "::") return endpoints;
  for (std::string& address : addresses_of_machine(listener.address == "::" ? AF_INET6 : AF_INET))
    endpoints.push_back({std::move(address), listener.port});
  return endpoints;
}

}  // namespace caddis::aio
