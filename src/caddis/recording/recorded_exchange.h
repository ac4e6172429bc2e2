// An exchange that somebody has had with a site through the proxy, on its way into the archive. A plain record.
#pragma once

#include <optional>
#include <string>

#include "caddis/http/exchange.h"
#include "caddis/io/spool.h"

namespace caddis::recording {

struct RecordedExchange {
  explicit RecordedExchange(http::Exchange the_exchange) : exchange(std::move(the_exchange)) {}

  std::string url;           // as in WARC-Target-URI
  std::string via;           // the page that asked for it, as its browser says; empty if it does not
  std::string method;        // "GET"
  std::string withheld;      // what of the request is not recorded: "Cookie, Authorization"
  std::string content_type;  // of the request's body
  std::optional<io::Spool> request_body;
  bool is_page = false;     // opened in a window of its own
  std::string cut;          // why the response is not whole, if it is our own doing
  http::Exchange exchange;  // its `request_bytes` are the head of the request, as recorded
};

}  // namespace caddis::recording
