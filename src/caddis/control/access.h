// The right to ask a crawl over TCP. Whatever runs on the machine can open a connection, and every page in a browser can
// send requests: so a request has to name this server by a name of its own, come from no page but its own, and bring
// the token that the crawl told its operator when it began. On the Unix socket the rights of its folder say who may.
//
// Const, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/http/server.h"

namespace caddis::control {

class Access {
 public:
  // `names`: under which the server may be asked besides its addresses and localhost.
  Access(std::string token, std::vector<std::string> names) : token_(std::move(token)), names_(std::move(names)) {}

  // The answer to a request that may not be answered: 421 for one that was meant for another host, 403 for one of
  // another page, 401 without the token (RFC 6750: "Authorization: Bearer TOKEN"; the page at "/" may also be asked for
  // with "?token=TOKEN", as people open it). Nothing where it may be.
  std::optional<http::ServerResponse> refuse(const http::ServerRequest& request) const;

 private:
  bool has_token(const http::ServerRequest& request) const;

  const std::string token_;
  const std::vector<std::string> names_;
};

}  // namespace caddis::control
