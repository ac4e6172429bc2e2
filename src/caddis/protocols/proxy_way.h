// The way through a proxy to a server that does not speak HTTP: a tunnel (CONNECT, RFC 9110, section 9.3.6), or SOCKS 5.
#pragma once

#include <cstdint>
#include <string>

#include "caddis/aio/network.h"
#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/http/proxy.h"

namespace caddis::protocols {

enum class WayStep : uint8_t {
  there,      // the stream leads to the server
  ask_again,  // the proxy wants other credentials, which there are now: on another connection
};

// `stream` leads to the proxy. `host`: a name, which the proxy looks up, or an address without brackets.
// ErrorCode::denied: the proxy will not, and why.
aio::Task<Result<WayStep>> lead_through(aio::Stream& stream, const http::Proxy& proxy, std::string host, uint16_t port);

}  // namespace caddis::protocols
