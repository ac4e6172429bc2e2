// Endpoints as the kernel wants them.
#pragma once

#include <sys/socket.h>

#include <memory>
#include <string>

#include "caddis/aio/network.h"

namespace caddis::aio {

struct SocketAddress {
  sockaddr_storage storage = {};
  socklen_t length = 0;
  std::shared_ptr<const int> folder;  // open, if the address names a file by it
  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
};

Result<SocketAddress> socket_address(const Endpoint& endpoint);
// A path that is longer than an address may be is named by its folder, which stays open as long as the address is used.
Result<SocketAddress> unix_address(const std::string& path);
// Empty for a Unix domain socket.
Endpoint endpoint_of(const SocketAddress& address);
// The address a socket is bound to.
Endpoint local_endpoint(int socket);

// A new non-blocking socket.
Result<int> open_socket(int family);

// "127.0.0.1:80", "[::1]:80", for messages.
std::string to_string(const Endpoint& endpoint);

}  // namespace caddis::aio
