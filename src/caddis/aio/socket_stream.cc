#include "caddis/aio/socket_stream.h"

#include <poll.h>
#include <sys/socket.h>

#include <boost/asio/buffer.hpp>
#include <cerrno>
#include <utility>

#include "caddis/aio/socket_address.h"

namespace caddis::aio {

using boost::system::error_code;

class SocketStream::ReadSome {
 public:
  ReadSome(SocketStream& stream, char* buffer, size_t size) : stream_(stream), buffer_(buffer), size_(size) {}
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waiting) {
    stream_.descriptor_.async_read_some(boost::asio::buffer(buffer_, size_),
                                        [this, waiting](const error_code& error, size_t count) {
                                          error_ = error;
                                          count_ = count;
                                          waiting.resume();
                                        });
  }
  Result<size_t> await_resume() const {
    if (!error_) return count_;
    if (error_ == boost::asio::error::eof) return 0;
    return std::unexpected(stream_.error_of(error_));
  }

 private:
  SocketStream& stream_;
  char* buffer_;
  size_t size_;
  error_code error_;
  size_t count_ = 0;
};

class SocketStream::WaitFor {
 public:
  using What = boost::asio::posix::descriptor_base::wait_type;
  WaitFor(SocketStream& stream, What what) : stream_(stream), what_(what) {}
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waiting) {
    stream_.descriptor_.async_wait(what_, [this, waiting](const error_code& error) {
      error_ = error;
      waiting.resume();
    });
  }
  Result<void> await_resume() const {
    if (!error_) return {};
    return std::unexpected(stream_.error_of(error_));
  }

 private:
  SocketStream& stream_;
  const What what_;
  error_code error_;
};

SocketStream::SocketStream(AsioLoop& loop, int socket, Endpoint remote)
    : loop_(loop), descriptor_(loop.context(), socket), remote_(std::move(remote)) {}

SocketStream::~SocketStream() {
  if (timer_ != 0) loop_.cancel(timer_);
}

Task<Result<size_t>> SocketStream::read(char* buffer, size_t size) {
  if (!usable()) co_return broken();
  co_return co_await ReadSome(*this, buffer, size);
}

Task<Result<void>> SocketStream::wait_readable() {
  if (!usable()) co_return broken();
  co_return co_await WaitFor(*this, WaitFor::What::wait_read);
}

Task<Result<void>> SocketStream::write(std::string_view bytes) {
  while (!bytes.empty()) {
    if (!usable()) co_return broken();
    const ssize_t sent = ::send(descriptor_.native_handle(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
      bytes.remove_prefix(static_cast<size_t>(sent));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      CO_TRY_VOID(co_await WaitFor(*this, WaitFor::What::wait_write));
    } else if (errno != EINTR) {
      co_return std::unexpected(error_of(error_code(errno, boost::system::system_category())));
    }
  }
  co_return Result<void>();
}

Task<Result<void>> SocketStream::connected() {
  if (!usable()) co_return broken();
  CO_TRY_VOID(co_await WaitFor(*this, WaitFor::What::wait_write));
  int error = 0;
  socklen_t length = sizeof(error);
  getsockopt(descriptor_.native_handle(), SOL_SOCKET, SO_ERROR, &error, &length);
  if (error != 0) co_return fail_errno("connection to " + to_string(remote_), error);
  co_return Result<void>();
}

Endpoint SocketStream::local() const {
  return descriptor_.is_open() ? local_endpoint(const_cast<SocketStream*>(this)->descriptor_.native_handle())
                               : Endpoint();
}

void SocketStream::set_deadline(SteadyTime when) {
  deadline_ = when;
  expired_ = when != SteadyTime::max() && when <= loop_.clock().steady();
  // An operation that waits must learn of it now; one that begins later looks for itself.
  if (expired_ && !closed_) {
    error_code ignored;
    descriptor_.cancel(ignored);
  } else {
    arm();
  }
}

void SocketStream::arm() {
  if (deadline_ >= armed_for_ || closed_) return;
  if (timer_ != 0) loop_.cancel(timer_);
  armed_for_ = deadline_;
  timer_ = loop_.at(armed_for_, [this] { deadline_timer(); });
}

void SocketStream::deadline_timer() {
  timer_ = 0;
  const SteadyTime fired_for = std::exchange(armed_for_, SteadyTime::max());
  if (deadline_ > fired_for) return arm();
  expired_ = true;
  error_code ignored;
  descriptor_.cancel(ignored);
}

void SocketStream::close() {
  closed_ = true;
  if (timer_ != 0) loop_.cancel(std::exchange(timer_, 0));
  error_code ignored;
  descriptor_.close(ignored);
}

bool SocketStream::is_quiet() {
  char next;
  const ssize_t got = ::recv(descriptor_.native_handle(), &next, 1, MSG_PEEK | MSG_DONTWAIT);
  return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

bool SocketStream::peer_left() {
  if (closed_) return true;
  pollfd waiting{descriptor_.native_handle(), POLLRDHUP, 0};
  return ::poll(&waiting, 1, 0) == 1 && (waiting.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

bool SocketStream::usable() { return !expired_ && !closed_; }

std::unexpected<Error> SocketStream::broken() const {
  if (closed_) return fail(ErrorCode::cancelled, "the connection to " + to_string(remote_) + " has been closed here");
  return fail(ErrorCode::timeout, "no answer from " + to_string(remote_) + " in time");
}

Error SocketStream::error_of(const error_code& error) const {
  if (error == boost::asio::error::operation_aborted || closed_ || expired_) return broken().error();
  const int number = error.value();
  const ErrorCode code = number == ECONNRESET || number == EPIPE ? ErrorCode::closed : ErrorCode::io;
  return Error{code, "connection to " + to_string(remote_) + ": " + error.message()};
}

}  // namespace caddis::aio
