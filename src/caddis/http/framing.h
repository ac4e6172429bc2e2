// Where a response's body ends (RFC 9112 section 6.3), decided from its head alone, for servers as they are.
//
// What the RFC leaves to the recipient is decided so that nothing sent is lost:
//   * Transfer-Encoding beats Content-Length, in HTTP/1.0 too; `identity` counts as absent.
//   * A transfer coding other than chunked at the end: the body ends with the connection.
//   * Several Content-Length values that differ, or one that is no number: the body ends with the connection. NULs and
//     blanks around a number are ignored, as is an empty value.
//   * A Content-Length that no body has (io::kLargestBody): the body ends with the connection, and lacks nothing then.
// After each of these the connection is not used again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/http/head.h"

namespace caddis::http {

struct Framing {
  enum class Kind { none, length, chunked, until_close };
  Kind kind = Kind::until_close;
  uint64_t length = 0;      // for Kind::length
  bool keep_alive = false;  // the connection may carry another exchange once the body has ended
  std::string problem;      // what was wrong, empty where nothing was
};

Framing response_framing(const ResponseHead& head, std::string_view request_method);

}  // namespace caddis::http
