// A proxy between us and the web.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "caddis/aio/network.h"

namespace caddis::http {

class ResponseHead;

// Answers a proxy that asks who wants to go through (407). Any thread.
class ProxyLogin {
 public:
  virtual ~ProxyLogin() = default;
  // The value of Proxy-Authorization for a request; `target` as its line has it. Empty: none is sent.
  virtual std::string credentials(std::string_view method, std::string_view target) = 0;
  // Takes an answer to a request with those credentials. Returns whether the proxy has asked for others, which there are
  // now.
  virtual bool asks_again(const ResponseHead& head, std::string_view sent) = 0;
};

struct Proxy {
  enum class Kind {
    http,    // plain requests in absolute form, a tunnel for TLS
    socks5,  // a way to the server for either (RFC 1928)
  };
  aio::Endpoint address;                        // resolved by whoever sets it up
  std::string authorization;                    // HTTP: the value of Proxy-Authorization, empty for none
  std::shared_ptr<ProxyLogin> login = nullptr;  // HTTP: asked in the place of that; null if there is none
  Kind kind = Kind::http;
  std::string user, password;  // SOCKS: empty for none
};

}  // namespace caddis::http
