// The client's side of SOCKS version 5 (RFC 1928), with user name and password (RFC 1929).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/aio/network.h"
#include "caddis/aio/task.h"
#include "caddis/base/error.h"

namespace caddis::http {

struct SocksLogin {
  std::string user, password;  // at most 255 bytes each; no user: none is offered
};

// Asks the proxy at the other end of `stream` to connect to `host`, a name or an address without brackets; names are looked
// up by the proxy. The stream then leads there. ErrorCode::denied: the proxy will not, and why.
aio::Task<Result<void>> socks_connect(aio::Stream& stream, const SocksLogin& login, std::string host, uint16_t port);

}  // namespace caddis::http
