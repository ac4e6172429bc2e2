#include "simweb/serve/transport.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace simweb {
namespace {

bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

class PlainTransport : public Transport {
 public:
  using Transport::Transport;

  Moved read(std::span<char> into) override {
    const ssize_t count = recv(fd(), into.data(), into.size(), 0);
    // A short read has emptied the socket; what comes later is told by the loop.
    if (count > 0) return {State::ok, static_cast<size_t>(count), static_cast<size_t>(count) == into.size()};
    return {count < 0 && would_block() ? State::blocked : State::closed, 0};
  }
  Moved write(std::span<const iovec> pieces) override { return send_now(pieces); }
};

}  // namespace

Transport::~Transport() { close(fd_); }

void Transport::reset_on_close() {
  const linger now{.l_onoff = 1, .l_linger = 0};
  setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
}

Transport::Moved Transport::send_now(std::span<const iovec> pieces) const {
  msghdr message{};
  message.msg_iov = const_cast<iovec*>(pieces.data());  // sendmsg does not write there
  message.msg_iovlen = std::min<size_t>(pieces.size(), 1024);
  const ssize_t count = sendmsg(fd_, &message, MSG_NOSIGNAL);
  if (count >= 0) return {State::ok, static_cast<size_t>(count)};
  return {would_block() ? State::blocked : State::closed, 0};
}

std::unique_ptr<Transport> make_plain_transport(int fd) { return std::make_unique<PlainTransport>(fd); }

}  // namespace simweb
