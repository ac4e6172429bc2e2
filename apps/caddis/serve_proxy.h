// caddis serve --proxy: the archive as an HTTP proxy, beside its pages.
#pragma once

#include <memory>
#include <string>

#include "access_options.h"
#include "caddis/aio/blocking.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/base/error.h"
#include "caddis/http/server.h"
#include "request_door.h"
#include "served_archive.h"

namespace caddis::cli {

struct ProxyOptions {
  std::string listen;  // ADDR:PORT; empty: no proxy
  std::string folder;  // keeps the certificate authority; empty: the user's own (~/.config/caddis)
};

class ServeProxy {
 public:
  // Listens. Requests go through the door. `archive`, `door` and `workers` outlive it. ErrorCode::config for an address
  // that others reach, unless --insecure names it, and with --users: a proxy asks nobody who he is.
  static Result<std::unique_ptr<ServeProxy>> start(aio::Loop& loop, aio::Network& network, aio::Blocking& workers,
                                                   const CurrentArchive& archive, RequestDoor& door,
                                                   const ProxyOptions& options, const AccessOptions& access);
  ~ServeProxy();
  aio::Endpoint local() const;
  aio::Task<void> stop();

 private:
  struct Parts;
  explicit ServeProxy(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace caddis::cli
