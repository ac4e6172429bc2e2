// The address of the client, also behind proxies that are trusted to say it (X-Forwarded-For). Immutable, any thread.
#pragma once

#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/http/server.h"
#include "caddis/url/address_block.h"

namespace caddis::access {

class ClientAddress {
 public:
  // Addresses and blocks of proxies. ErrorCode::config for one that is none.
  static Result<ClientAddress> create(const std::vector<std::string>& proxies);

  // Trusts no proxy.
  ClientAddress() = default;

  // That of the connection, or if a trusted proxy sends it, the last one of the field that is no trusted proxy's.
  std::string of(const http::ServerRequest& request) const;
  // Whether a trusted proxy sends it.
  bool is_by_proxy(const http::ServerRequest& request) const { return is_trusted(request.remote.address); }

 private:
  bool is_trusted(std::string_view address) const;

  std::vector<url::AddressBlock> proxies_;
};

}  // namespace caddis::access
