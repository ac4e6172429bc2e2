#include "caddis/aio/socket_address.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace caddis::aio {
namespace {

Result<std::shared_ptr<const int>> open_folder(const std::string& path) {
  const int folder = ::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return fail_errno("cannot open " + path, errno);
  return std::shared_ptr<const int>(new int(folder), [](const int* held) {
    ::close(*held);
    delete held;
  });
}

}  // namespace

Result<SocketAddress> socket_address(const Endpoint& endpoint) {
  SocketAddress result;
  auto* v4 = reinterpret_cast<sockaddr_in*>(&result.storage);
  if (inet_pton(AF_INET, endpoint.address.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(endpoint.port);
    result.length = sizeof(sockaddr_in);
    return result;
  }
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&result.storage);
  if (inet_pton(AF_INET6, endpoint.address.c_str(), &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(endpoint.port);
    result.length = sizeof(sockaddr_in6);
    return result;
  }
  return fail(ErrorCode::config, "\"" + endpoint.address + "\" is no IPv4 or IPv6 address");
}

Result<SocketAddress> unix_address(const std::string& path) {
  SocketAddress result;
  auto* address = reinterpret_cast<sockaddr_un*>(&result.storage);
  std::string named = path;
  if (const size_t slash = path.rfind('/'); slash != std::string::npos && path.size() >= sizeof(address->sun_path)) {
    TRY(result.folder, open_folder(path.substr(0, slash + 1)));
    named = "/proc/self/fd/" + std::to_string(*result.folder) + path.substr(slash);
  }
  if (named.size() >= sizeof(address->sun_path)) {
    return fail(ErrorCode::config, "the socket path " + path + " is longer than " +
                                       std::to_string(sizeof(address->sun_path) - 1) + " bytes: use a shorter name");
  }
  address->sun_family = AF_UNIX;
  std::memcpy(address->sun_path, named.data(), named.size());
  result.length = sizeof(sockaddr_un);
  return result;
}

Endpoint endpoint_of(const SocketAddress& address) {
  char text[INET6_ADDRSTRLEN] = {};
  if (address.storage.ss_family == AF_INET) {
    const auto* v4 = reinterpret_cast<const sockaddr_in*>(&address.storage);
    inet_ntop(AF_INET, &v4->sin_addr, text, sizeof(text));
    return Endpoint{text, ntohs(v4->sin_port)};
  }
  if (address.storage.ss_family == AF_INET6) {
    const auto* v6 = reinterpret_cast<const sockaddr_in6*>(&address.storage);
    inet_ntop(AF_INET6, &v6->sin6_addr, text, sizeof(text));
    return Endpoint{text, ntohs(v6->sin6_port)};
  }
  return {};
}

Endpoint local_endpoint(int socket) {
  SocketAddress address;
  address.length = sizeof(address.storage);
  if (getsockname(socket, address.get(), &address.length) != 0) return {};
  return endpoint_of(address);
}

Result<int> open_socket(int family) {
  const int socket = ::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket >= 0) return socket;
  if (errno == EMFILE) return fail(ErrorCode::io, "too many open sockets and files: raise the limit (ulimit -n)");
  return fail_errno("cannot open a socket", errno);
}

std::string to_string(const Endpoint& endpoint) {
  if (endpoint.address.contains(':')) return "[" + endpoint.address + "]:" + std::to_string(endpoint.port);
  return endpoint.address + ":" + std::to_string(endpoint.port);
}

}  // namespace caddis::aio
