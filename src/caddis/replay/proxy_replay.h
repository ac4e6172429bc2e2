// The archive as an HTTP proxy (http/proxy_listener.h): a browser that is set to it browses the past. Pages are given as
// they were captured, under their own addresses, nothing rewritten; whatever is asked for is answered from the archive or
// not at all, so that nothing is live.
//
// The date is the client's: by Accept-Datetime, or chosen on the proxy's own page, at the address of the proxy itself
// and at http://caddis.proxy/. It is kept by the client's address. Any thread; blocks.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "caddis/http/server.h"
#include "caddis/replay/wayback.h"

namespace caddis::replay {

// The certificate that browsers have to trust for HTTPS.
struct ProxyCertificate {
  std::string pem, der, fingerprint;
};

class ProxyReplay {
 public:
  explicit ProxyReplay(ProxyCertificate certificate) : certificate_(std::move(certificate)) {}

  http::ServerResponse handle(const Wayback& wayback, const http::ServerRequest& request);

 private:
  struct Wish {
    std::string timestamp, collection;  // empty: the latest; all
  };
  Wish wish_of(const http::ServerRequest& request) const;
  http::ServerResponse answer_own(const Wayback& wayback, const http::ServerRequest& request, std::string_view path);
  http::ServerResponse take_wish(const http::ServerRequest& request);
  http::ServerResponse page(const Wayback& wayback, const http::ServerRequest& request) const;

  const ProxyCertificate certificate_;
  mutable std::mutex mutex_;
  std::map<std::string, Wish, std::less<>> wishes_;  // by the client's address
};

}  // namespace caddis::replay
