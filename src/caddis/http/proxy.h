// A proxy between us and the web.
#pragma once

#include <string>

#include "caddis/aio/network.h"

namespace caddis::http {

struct Proxy {
  enum class Kind {
    http,    // plain requests in absolute form, a tunnel for TLS
    socks5,  // a way to the server for either (RFC 1928)
  };
  aio::Endpoint address;      // resolved by whoever sets it up
  std::string authorization;  // HTTP: the value of Proxy-Authorization, empty for none
  Kind kind = Kind::http;
  std::string user, password;  // SOCKS: empty for none
};

}  // namespace caddis::http
