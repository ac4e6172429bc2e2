// The way from a harvester to its server: HTTP over TCP, with TLS or without, or over a Unix socket on the same machine.
//
// Any thread; a call waits for its answer.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"

namespace caddis::harvestserver {

struct LinkAnswer {
  int status = 0;
  std::string body;
};

struct LinkQuestion {
  std::string method, target;
  std::string body = {};
  std::string range = {};  // "bytes=0-99"
};

using ServerLink = std::function<Result<LinkAnswer>(const LinkQuestion&)>;

struct LinkOptions {
  std::string server;       // "https://harvest.example:8444", or the path of a Unix socket
  std::string token;        // as of `caddis users token`; empty over a socket
  std::string fingerprint;  // SHA-256 of the server's certificate; empty: it has to be trusted by this machine
  Duration patience = std::chrono::seconds(60);
};

// ErrorCode::config if the address is none.
Result<ServerLink> make_link(LinkOptions options);

// The body of an answer 200. What the server says of others becomes an error: 404 not_found, 409 conflict, 401 and 403
// denied, 422 corrupt.
Result<std::string> ask(const ServerLink& link, const LinkQuestion& question);

}  // namespace caddis::harvestserver
