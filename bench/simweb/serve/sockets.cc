#include "simweb/serve/sockets.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace simweb {
namespace {

// A whole page fits, so that it usually goes in one call. Memory is taken as far as it is filled.
constexpr int send_buffer = 1024 * 1024;
constexpr int datagram_buffer = 4 * 1024 * 1024;
constexpr int backlog = 8192;

sockaddr_in address_of(uint32_t address, uint16_t port) {
  sockaddr_in made{};
  made.sin_family = AF_INET;
  made.sin_port = htons(port);
  made.sin_addr.s_addr = htonl(address);
  return made;
}

caddis::Result<BoundSocket> bind_socket(int type, uint32_t address, uint16_t port) {
  const int fd = socket(AF_INET, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return caddis::fail_errno("cannot make a socket", errno);
  BoundSocket made(fd, port);
  const int yes = 1;
  if (type == SOCK_STREAM) {
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    // Needs no privilege on Linux 5.7 and later; elsewhere peers are looked at.
    setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, "lo", 2);
  }
  const int size = type == SOCK_STREAM ? send_buffer : datagram_buffer;
  setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
  if (type == SOCK_DGRAM) setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
  sockaddr_in at = address_of(address, port);
  socklen_t at_size = sizeof(at);
  if (bind(fd, reinterpret_cast<const sockaddr*>(&at), at_size) != 0)
    return caddis::fail_errno(fmt::format("cannot bind port {} (another one is chosen with --set or --dns-port)", port),
                              errno);
  if (type == SOCK_STREAM && listen(fd, backlog) != 0) return caddis::fail_errno("cannot listen", errno);
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&at), &at_size) != 0)
    return caddis::fail_errno("cannot tell the port of a socket", errno);
  return BoundSocket(made.release(), ntohs(at.sin_port));
}

}  // namespace

BoundSocket::~BoundSocket() {
  if (fd_ >= 0) close(fd_);
}

caddis::Result<BoundSocket> bind_streams(uint16_t port) { return bind_socket(SOCK_STREAM, INADDR_ANY, port); }
caddis::Result<BoundSocket> bind_datagrams(uint16_t port) { return bind_socket(SOCK_DGRAM, INADDR_LOOPBACK, port); }

uint32_t local_address(int fd) {
  sockaddr_in at{};
  socklen_t size = sizeof(at);
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&at), &size) != 0) return 0;
  return ntohl(at.sin_addr.s_addr);
}

}  // namespace simweb
