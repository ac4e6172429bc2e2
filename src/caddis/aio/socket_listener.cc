#include "caddis/aio/socket_listener.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "caddis/aio/socket_stream.h"
#include "caddis/aio/tls_stream.h"

namespace caddis::aio {
namespace {

constexpr int backlog = 1024;

}  // namespace

void send_at_once(int socket) {
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

Result<int> bind_and_listen(const SocketAddress& address, const std::string& name) {
  TRY(const int socket, open_socket(address.storage.ss_family));
  const int on = 1;
  if (address.storage.ss_family != AF_UNIX) setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  // [::] is not to take IPv4's ports along: who wants both listens twice.
  if (address.storage.ss_family == AF_INET6) setsockopt(socket, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
  if (::bind(socket, address.get(), address.length) == 0 && ::listen(socket, backlog) == 0) return socket;
  const int error = errno;
  ::close(socket);
  return fail_errno("cannot listen on " + name, error);
}

class SocketListener::WaitReadable {
 public:
  explicit WaitReadable(SocketListener& listener) : listener_(listener) {}
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waiting) {
    listener_.descriptor_.async_wait(boost::asio::posix::descriptor_base::wait_read,
                                     [waiting](const boost::system::error_code&) { waiting.resume(); });
  }
  void await_resume() const noexcept {}

 private:
  SocketListener& listener_;
};

SocketListener::SocketListener(AsioLoop& loop, int socket, std::string unlink_path, SslContextPtr tls)
    : loop_(loop),
      descriptor_(loop.context(), socket),
      local_(local_endpoint(socket)),
      unlink_path_(std::move(unlink_path)),
      tls_(std::move(tls)) {}

Task<Result<std::unique_ptr<Stream>>> SocketListener::accept() {
  for (;;) {
    if (closed_) co_return fail(ErrorCode::cancelled, "the listener has been closed");
    SocketAddress peer;
    peer.length = sizeof(peer.storage);
    const int socket = ::accept4(descriptor_.native_handle(), peer.get(), &peer.length, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket >= 0) co_return stream_over(socket, peer);
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
      co_await WaitReadable(*this);
    } else if (errno != EINTR && errno != ECONNABORTED) {
      co_return fail_errno("cannot accept a connection at " + to_string(local_), errno);
    }
  }
}

void SocketListener::close() {
  if (std::exchange(closed_, true)) return;
  if (!unlink_path_.empty()) ::unlink(unlink_path_.c_str());
  boost::system::error_code ignored;
  descriptor_.close(ignored);
}

std::unique_ptr<Stream> SocketListener::stream_over(int socket, const SocketAddress& peer) {
  if (peer.storage.ss_family != AF_UNIX) send_at_once(socket);
  auto stream = std::make_unique<SocketStream>(loop_, socket, endpoint_of(peer));
  if (!tls_) return stream;
  return TlsStream::server(loop_, std::move(stream), tls_.get());
}

}  // namespace caddis::aio
