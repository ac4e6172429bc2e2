// A request as a client sends it (RFC 9112 section 3). What bytes() gives is what goes onto the wire and into the
// record.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/http/head.h"

namespace caddis::http {

struct Header {
  std::string name, value;
};

struct Request {
  std::string method = "GET";
  std::string target = "/";  // in origin form, or absolute form for a proxy
  Version version = {1, 1};
  std::vector<Header> headers;  // in the order sent; Host and, with a body, Content-Length are the caller's
  std::string body;

  void add(std::string_view name, std::string_view value) {
    headers.push_back({std::string(name), std::string(value)});
  }
  // CR, LF and NUL inside of names and values are left out: nobody can smuggle a second request in.
  std::string bytes() const;
};

}  // namespace caddis::http
