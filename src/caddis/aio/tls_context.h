// TLS contexts, and the sessions a client may resume. Internal: includes OpenSSL.
//
// Clients take what they can get, as an archive must: old protocol versions and weak keys too; what was agreed and
// whether the certificate is trusted is recorded. If the caller asks for trust, all three are enforced.
#pragma once

#include <openssl/ssl.h>

#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "caddis/aio/network.h"
#include "caddis/base/error.h"

namespace caddis::aio {

struct SslDeleter {
  void operator()(SSL* ssl) const { SSL_free(ssl); }
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  void operator()(SSL_SESSION* session) const { SSL_SESSION_free(session); }
};
using SslPtr = std::unique_ptr<SSL, SslDeleter>;
using SslContextPtr = std::unique_ptr<SSL_CTX, SslDeleter>;
using SslSessionPtr = std::unique_ptr<SSL_SESSION, SslDeleter>;

// The sessions of one network's most recent peers, by "address port name". One thread.
class TlsSessions {
 public:
  explicit TlsSessions(size_t peers) : peers_(peers) {}
  void put(const std::string& peer, SslSessionPtr session);
  // The latest; null where there is none. A TLS 1.3 ticket is handed out once (RFC 8446, C.4): its connection brings
  // others.
  SslSessionPtr take(const std::string& peer);

 private:
  struct Entry {
    std::string peer;
    std::vector<SslSessionPtr> sessions;  // as many as connections to one peer at once are usual
  };
  size_t peers_;
  std::list<Entry> by_use_;  // the latest first
  std::unordered_map<std::string_view, std::list<Entry>::iterator> by_peer_;
};

enum class TlsStrictness {
  open,    // weak keys are good enough
  strict,  // 112 bits of security
};

// A client's. Its handshakes verify the certificate and go on whatever comes out: that is for who looks at the result.
// The versions of TLS that it takes are set for each connection.
SslContextPtr make_tls_client_context(TlsStrictness strictness);
// A server's, from PEM texts.
Result<SslContextPtr> make_tls_server_context(std::string_view certificate_pem, std::string_view key_pem);
// The certificates that the peer sent, its own first; null if there are none.
std::shared_ptr<const std::vector<TlsCertificate>> chain_of(SSL* ssl);
// "error:0A000086:SSL routines::…" of the calling thread's queue, shortened to its reason; empties the queue.
std::string tls_error_text();

}  // namespace caddis::aio
