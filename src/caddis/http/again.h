// Whether an exchange that has come to nothing is tried again, and how. For clients.
//
// Pure functions; any thread.
#pragma once

#include <string_view>

#include "caddis/http/connection_pool.h"
#include "caddis/http/exchange.h"

namespace caddis::http {

enum class Again {
  no,
  stale,             // on a new connection: the kept one had been closed before the request came
  other_connection,  // on a new one: the server has done nothing yet (RFC 9113, section 8.7)
  http1,             // over HTTP/1.1: the server asks for that, or its HTTP/2 is broken
  http1_next,        // the same, but the method may have changed something: not this one, only those to come
};

// `reused`: the connection had carried an exchange before.
Again why_again(const Connection& connection, std::string_view method, const FetchResult& result, bool reused);

// A request of that method changes nothing on the server (RFC 9110 section 9.2.2), so it may be sent again.
bool is_repeatable(std::string_view method);

}  // namespace caddis::http
