// Sockets that only this machine can reach.
#pragma once

#include <cstdint>
#include <utility>

#include "caddis/base/error.h"

namespace simweb {

// Owns its descriptor until release().
class BoundSocket {
 public:
  BoundSocket(int fd, uint16_t port) : fd_(fd), port_(port) {}
  BoundSocket(BoundSocket&& other) noexcept : fd_(other.release()), port_(other.port_) {}
  BoundSocket& operator=(BoundSocket&&) = delete;
  ~BoundSocket();
  int release() { return std::exchange(fd_, -1); }
  int fd() const { return fd_; }
  uint16_t port() const { return port_; }

 private:
  int fd_;
  uint16_t port_;
};

// TCP on every address of 127.0.0.0/8; `port` 0: any. Where the socket cannot be tied to the loopback device, whoever
// accepts has to refuse what is_loopback does not hold for.
caddis::Result<BoundSocket> bind_streams(uint16_t port);
// UDP on 127.0.0.1.
caddis::Result<BoundSocket> bind_datagrams(uint16_t port);

// An IPv4 address in host byte order.
constexpr bool is_loopback(uint32_t address) { return address >> 24 == 127; }
// The address on our side of a connection, in host byte order; 0 where it cannot be told.
uint32_t local_address(int fd);

}  // namespace simweb
