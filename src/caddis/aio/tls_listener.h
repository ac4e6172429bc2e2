// A listener with TLS 1.2 or later for the servers that people and programs log in to; if it is given authorities, it
// talks only to clients whose certificate is of one of them. (Network::listen_tls is for tests: it takes any version.)
#pragma once

#include <memory>
#include <string>

#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/base/error.h"

namespace caddis::aio {

struct TlsServerOptions {
  std::string certificate_pem, key_pem;  // a certificate (chain), and its key
  std::string client_ca_pem;             // authorities of clients; empty: no certificate is asked for
};

// `loop` has to be a real one, from make_loop. ErrorCode::config if a text is not what it should be. The handshake is
// part of the accepted stream's first operation.
Result<std::unique_ptr<Listener>> listen_tls(Loop& loop, const Endpoint& at, const TlsServerOptions& options);

}  // namespace caddis::aio
