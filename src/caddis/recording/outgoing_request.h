// The request of a browser as it goes to the server, and as it is recorded.
//
// Sent is what the browser has sent, in its order, but for fields that are for the proxy or its connection (RFC 9110
// section 7.6.1), and for conditions: a browser that has a page in its cache would get a 304, and the archive nothing.
// Not recorded is what lets somebody in (cookies, Authorization), unless that is asked for.
//
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/http/request.h"
#include "caddis/http/server.h"
#include "caddis/url/url.h"

namespace caddis::recording {

struct OutgoingRequest {
  http::Request message;  // without its body; what is not to be recorded is secret
  std::string head;       // of it in HTTP/1.1 for the wire, with its empty line
  std::string recorded;   // the same for the record
  std::string withheld;   // names of what is not in it: "Cookie, Authorization"
  bool is_websocket = false;
};

struct OutgoingForm {
  std::optional<uint64_t> body_size;  // none: there is no body
  bool records_credentials = false;
  bool is_http_1_0 = false;  // the client's version, which the server has to go by
};

OutgoingRequest outgoing_request(const http::ServerRequest& asked, const url::Url& url, const OutgoingForm& form);

// Whether the client wants to change to WebSocket (RFC 6455, section 4.1).
bool asks_for_websocket(const http::ServerRequest& asked);

}  // namespace caddis::recording
