// A Listener over a listening socket, TCP or Unix, with or without TLS. Internal: includes Asio and OpenSSL.
#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>
#include <string>

#include "caddis/aio/asio_loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/socket_address.h"
#include "caddis/aio/tls_context.h"

namespace caddis::aio {

// TCP_NODELAY: whole requests and responses are written at once, so there is nothing to wait for.
void send_at_once(int socket);

// A socket that listens; `name` is for the error.
Result<int> bind_and_listen(const SocketAddress& address, const std::string& name);

class SocketListener final : public Listener {
 public:
  // Takes over `socket`. `unlink_path`: the socket file to remove at the end, or empty. `tls` null: plain.
  SocketListener(AsioLoop& loop, int socket, std::string unlink_path, SslContextPtr tls);
  SocketListener(const SocketListener&) = delete;
  SocketListener& operator=(const SocketListener&) = delete;
  ~SocketListener() override { close(); }

  Task<Result<std::unique_ptr<Stream>>> accept() override;
  Endpoint local() const override { return local_; }
  void close() override;

 private:
  class WaitReadable;
  std::unique_ptr<Stream> stream_over(int socket, const SocketAddress& peer);

  AsioLoop& loop_;
  boost::asio::posix::stream_descriptor descriptor_;
  Endpoint local_;
  std::string unlink_path_;
  SslContextPtr tls_;
  bool closed_ = false;
};

}  // namespace caddis::aio
