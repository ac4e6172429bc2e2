#include "caddis/aio/own_endpoints.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <string>
#include <utility>

#include "caddis/aio/socket_address.h"

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

// The local end of a datagram socket connected to `there`, by the machine's routes; empty if none leads there.
std::string local_end(const Endpoint& there) {
  const auto to = socket_address(there);
  if (!to) return {};
  const int socket = ::socket(to->storage.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return {};
  std::string address;
  if (::connect(socket, to->get(), to->length) == 0) address = local_endpoint(socket).address;
  ::close(socket);
  return address;
}

}  // namespace

std::vector<Endpoint> own_endpoints(const Endpoint& listener) {
  std::vector<Endpoint> endpoints = {listener};
  if (listener.address != "0.0.0.0" && listener.address != "::") return endpoints;
  for (std::string& address : addresses_of_machine(listener.address == "::" ? AF_INET6 : AF_INET))
    endpoints.push_back({std::move(address), listener.port});
  return endpoints;
}

std::string outgoing_address() {
  // Addresses for documentation (RFC 5737, RFC 3849): they have the route of all that is far away.
  constexpr uint16_t kAnyPort = 9;
  for (const char* far_away : {"192.0.2.1", "2001:db8::1"})
    if (std::string address = local_end({far_away, kAnyPort}); !address.empty()) return address;
  return {};
}

}  // namespace caddis::aio
