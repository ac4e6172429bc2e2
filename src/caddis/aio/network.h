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
#include <vector>

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

// A certificate as a peer showed it.
struct TlsCertificate {
  std::string subject, issuer;        // as in RFC 4514
  std::string sha256;                 // of its DER form, in hexadecimal
  std::string not_before, not_after;  // "2026-11-23T20:08:43Z"
};

// Who a TLS peer was, for the record.
struct TlsInfo {
  std::string protocol;     // "tls/1.3"
  std::string cipher;       // IANA name
  std::string application;  // the protocol that was agreed on (ALPN), such as "h2"; empty for none
  bool resumed = false;
  bool is_name_refused = false;   // the server knows nobody of the name it was called by (SNI)
  bool is_name_withheld = false;  // it had refused it before, so it was not called by it
  std::string verify_error;       // why the certificate is not trusted, empty where it is
  std::shared_ptr<const std::vector<TlsCertificate>> chain;  // as sent, the server's own first; null if there is none
};

enum class TlsTrust {
  open,    // every certificate and key will do, as in Heritrix; TlsInfo has the outcome
  normal,  // only a certificate that is trusted will do
  strict,  // the same, with TLS 1.2 or later and keys of today's strength
};

enum class TlsVersion { v1_0, v1_1, v1_2, v1_3 };

struct TlsOptions {
  std::string server_name;  // SNI and the name to verify
  TlsTrust trust = TlsTrust::open;
  TlsVersion lowest = TlsVersion::v1_0;  // of the protocol
  bool offers_http2 = false;             // besides HTTP/1.1, by ALPN (RFC 7301)
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
  // This end of it; empty where it is not known.
  virtual Endpoint local() const { return {}; }
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
  // denied: the TLS handshake failed. `ticket`, where it is not 0, is for `end_connect`. `from` is the address of this
  // machine to connect from, a literal; empty: the system chooses.
  // A server that refuses the name it is called by (unrecognized_name, RFC 6066 section 3) is asked again without.
  virtual Task<Result<std::unique_ptr<Stream>>> connect(Endpoint to, const TlsOptions* tls, SteadyTime deadline,
                                                        uint64_t ticket = 0, std::string from = {}) = 0;
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
