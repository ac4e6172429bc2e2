// A transfer of one document by another protocol than HTTP: its limits are those of HTTP, and it gives an http::Exchange
// without a head.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>

#include "caddis/aio/network.h"
#include "caddis/base/fetch_status.h"
#include "caddis/http/exchange.h"
#include "caddis/http/proxy.h"
#include "caddis/protocols/wires.h"

namespace caddis::protocols {

// Whom to ask, and how long to wait.
struct Transfer {
  aio::Endpoint server;                // behind a proxy its port alone is used
  std::string name;                    // of the server, without brackets
  const http::Proxy* proxy = nullptr;  // null: there is none; lives until the transfer ends
  std::string path;                    // decoded: the document, or the query of WHOIS
  std::string user, password;
  bool is_secret = false;     // the password stands in no record
  std::string local_address;  // of this machine, to connect from, a literal; empty: the system chooses
  http::Limits limits;
  uint64_t ticket = 0;  // for Wires::end
  // Why nobody may connect there, in words. Null: one may connect to everything.
  std::function<std::optional<std::string>(const aio::Endpoint&)> refusal = nullptr;

  Way way() const { return {server, name, proxy, local_address}; }
  // Where it has failed if there is no way.
  http::Failure::At no_way() const { return proxy == nullptr ? http::Failure::At::connect : http::Failure::At::proxy; }
};

// Why there is no document.
struct TransferFailure {
  http::Failure::At at = http::Failure::At::response;
  Error error;
  FetchStatus status = 0;       // the server's own, or another that is known; 0: `at` says it
  bool is_transient = false;    // the server says that it may go well later
  std::string refused_address;  // the one that nobody may connect to
};

using TransferResult = std::expected<http::Exchange, TransferFailure>;
using TransferStep = std::expected<void, TransferFailure>;

inline std::unexpected<TransferFailure> failed(http::Failure::At at, Error error) {
  TransferFailure failure;
  failure.at = at;
  failure.error = std::move(error);
  return std::unexpected(std::move(failure));
}

}  // namespace caddis::protocols
