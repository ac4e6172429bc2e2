// TLS for every host of the web from one certificate authority that lives as long as the process: leaf certificates,
// ECDSA or RSA, are made for the name a client asks for when it first does. Single-threaded.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "simweb/serve/transport.h"

namespace simweb {

struct TlsChoice {
  bool rsa = false;
  bool tickets = true;
  bool http2 = false;  // it speaks HTTP/2 with whoever offers it
};

class Tls {
 public:
  // What the host of that name does; nothing where there is none, whose handshake then fails (unrecognized_name).
  // Clients that give no name, or an address for one, are taken to mean "localhost".
  using Choose = std::function<std::optional<TlsChoice>(std::string_view name)>;

  static caddis::Result<std::unique_ptr<Tls>> create(Choose choose);
  virtual ~Tls() = default;

  // The authority's certificate, for clients to trust.
  virtual std::string authority_pem() const = 0;
  virtual std::unique_ptr<Transport> accept(int fd) = 0;
  virtual uint64_t handshakes() const = 0;
  virtual uint64_t resumed() const = 0;
};

}  // namespace simweb
