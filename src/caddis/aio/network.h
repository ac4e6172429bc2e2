// The network behind a seam: real sockets (Asio and OpenSSL, network.cc), or the simulated world's (sim.h), where
// servers are functions and faults are drawn from a seed.
//
// Everything here belongs to the loop it was made for and is used on that loop's thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"
#include "caddis/base/clock.h"
#include "caddis/base/error.h"

namespace caddis::aio {

struct Endpoint {
  std::string address;  // IPv4 or IPv6 literal, without brackets
  uint16_t port = 0;
  bool operator==(const Endpoint&) const = default;
};

// Who a TLS peer was, for the record.
struct TlsInfo {
  std::string protocol;  // "tls/1.3"
  std::string cipher;    // IANA name
  bool resumed = false;
  std::string verify_error;  // why the certificate is not trusted, empty where it is
};

struct TlsOptions {
  std::string server_name;  // SNI and the name to verify
  // Only a certificate that is trusted, TLS 1.2 or later, and keys of today's strength will do. Otherwise, as Heritrix
  // has it, everything does, and the outcome is recorded in TlsInfo.
  bool require_trusted = false;
};

// A byte stream. One reader and one writer at a time. After `close`, or when the deadline passes, waiting operations
// end with ErrorCode::cancelled or ErrorCode::timeout; they resume through the loop, and the stream has to live until
// they have. ErrorCode::closed: the peer has reset the connection.
class Stream {
 public:
  virtual ~Stream() = default;
  // At least one byte, or 0 at the end of the stream.
  virtual Task<Result<size_t>> read(char* buffer, size_t size) = 0;
  // Waits until something has come (or the end, or an error, which `read` tells of), so that nobody holds a buffer
  // while a peer is silent. It may return too early: `read` waits all the same.
  virtual Task<Result<void>> wait_readable() { co_return Result<void>(); }
  // All of `bytes`, which must stay valid until it returns.
  virtual Task<Result<void>> write(std::string_view bytes) = 0;
  // Operations, running or later, fail with ErrorCode::timeout once this moment has passed. Replaces the former
  // deadline.
  virtual void set_deadline(SteadyTime when) = 0;
  virtual void close() = 0;
  virtual Endpoint remote() const = 0;
  virtual const TlsInfo* tls() const = 0;  // null where the stream is not encrypted
  // False where something has come that nobody has read, be it the end: such a connection is not used again for another
  // request. Only while nobody reads.
  virtual bool is_quiet() { return true; }
  // True once the peer has closed or reset the connection, whether or not all it sent has been read, and after `close`.
  virtual bool peer_left() { return false; }
};

class Listener {
 public:
  virtual ~Listener() = default;
  virtual Task<Result<std::unique_ptr<Stream>>> accept() = 0;
  virtual Endpoint local() const = 0;
  virtual void close() = 0;
};

class Network {
 public:
  virtual ~Network() = default;
  // `tls` null: plain TCP. The stream begins with this deadline. ErrorCode::io: refused or unreachable; timeout;
  // denied: the TLS handshake failed. `ticket`, where it is not 0, is for `end_connect`.
  virtual Task<Result<std::unique_ptr<Stream>>> connect(Endpoint to, const TlsOptions* tls, SteadyTime deadline,
                                                        uint64_t ticket = 0) = 0;
  // Ends those connects that are in progress (ErrorCode::cancelled), so that who stops need not wait for dead hosts.
  virtual void abort_connects() {}
  // Ends the connect with that ticket, in the same way; nothing where none is in progress.
  virtual void end_connect(uint64_t /*ticket*/) {}
  // TLS over a stream that is connected already: through a proxy's tunnel. Errors as with `connect`.
  virtual Task<Result<std::unique_ptr<Stream>>> start_tls(std::unique_ptr<Stream>, TlsOptions,
                                                          SteadyTime /*deadline*/) {
    co_return fail(ErrorCode::unsupported, "this network has no TLS over streams");
  }
  // Port 0 takes a free one.
  virtual Result<std::unique_ptr<Listener>> listen(const Endpoint& at) = 0;
  // The same with TLS: the texts of a certificate (chain) and its key, both PEM. The handshake is part of the accepted
  // stream's first operation.
  virtual Result<std::unique_ptr<Listener>> listen_tls(const Endpoint&, std::string_view /*certificate_pem*/,
                                                       std::string_view /*key_pem*/) {
    return fail(ErrorCode::unsupported, "this network has no TLS servers");
  }
  // A Unix domain socket; an existing socket file nobody answers on is replaced.
  virtual Result<std::unique_ptr<Listener>> listen_unix(const std::string& path) = 0;
  virtual Task<Result<std::unique_ptr<Stream>>> connect_unix(std::string path, SteadyTime deadline) = 0;
};

// `loop` has to be a real one, from make_loop.
std::unique_ptr<Network> make_network(Loop& loop);

}  // namespace caddis::aio
