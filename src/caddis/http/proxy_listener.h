// The listener of an HTTP proxy, for a server (server.h), which answers requests to proxies ("GET http://host/path") as
// they come, and those inside of a tunnel that a client asks for (CONNECT) as if it were the host: the tunnel ends here,
// and TLS inside of it is spoken with a certificate for that host.
//
//   auto server = Server::start_on(loop, make_proxy_listener(loop, std::move(listener), identity_of), handler, settings);
//
// A tunnel whose first byte is no TLS is plain HTTP (WebSockets of pages do so).
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/task.h"
#include "caddis/aio/tls_over.h"
#include "caddis/base/error.h"

namespace caddis::http {

// The certificate that is shown for a host.
using IdentityOf = std::function<Result<std::shared_ptr<const aio::TlsIdentity>>(const std::string& host)>;

// Whether whoever shows these credentials (the value of Proxy-Authorization; empty for none) from there may have a tunnel.
// Those who may not are asked for Basic (407). Requests outside of tunnels are for who answers them.
using AdmitsTunnel = std::function<aio::Task<bool>(std::string credentials, aio::Endpoint client)>;

// `admits` null: everybody.
std::unique_ptr<aio::Listener> make_proxy_listener(aio::Loop& loop, std::unique_ptr<aio::Listener> listener,
                                                   IdentityOf identity_of, AdmitsTunnel admits = nullptr);

// The authority of the tunnel that a stream of such a listener is in: "example.org:443", in lower case. Empty outside of
// a tunnel, and until something was read.
std::string tunnel_of(const aio::Stream& stream);

}  // namespace caddis::http
