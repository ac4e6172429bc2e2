// A Stream over a connected socket, TCP or Unix. Internal: includes Asio.
//
// Reads go straight into the caller's buffer. A deadline costs no timer per operation: one timer stands at the earliest
// deadline it has seen, and when it fires it looks where the deadline is now.
#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>

#include "caddis/aio/asio_loop.h"
#include "caddis/aio/network.h"

namespace caddis::aio {

class SocketStream final : public Stream {
 public:
  // Takes over `socket`, which is non-blocking.
  SocketStream(AsioLoop& loop, int socket, Endpoint remote);
  SocketStream(const SocketStream&) = delete;
  SocketStream& operator=(const SocketStream&) = delete;
  ~SocketStream() override;

  Task<Result<size_t>> read(char* buffer, size_t size) override;
  Task<Result<void>> wait_readable() override;
  Task<Result<void>> write(std::string_view bytes) override;
  void set_deadline(SteadyTime when) override;
  void close() override;
  Endpoint remote() const override { return remote_; }
  Endpoint local() const override;
  const TlsInfo* tls() const override { return nullptr; }
  bool is_quiet() override;
  bool peer_left() override;

  // Waits for a connect in progress, and gives its outcome.
  Task<Result<void>> connected();

 private:
  class ReadSome;
  class WaitFor;
  // Why an operation may not begin, or has ended early.
  std::unexpected<Error> broken() const;
  bool usable();
  void arm();
  void deadline_timer();
  Error error_of(const boost::system::error_code& error) const;

  AsioLoop& loop_;
  boost::asio::posix::stream_descriptor descriptor_;
  Endpoint remote_;
  SteadyTime deadline_ = SteadyTime::max();
  SteadyTime armed_for_ = SteadyTime::max();
  Loop::TimerId timer_ = 0;
  bool expired_ = false;
  bool closed_ = false;
};

}  // namespace caddis::aio
