// An HTTP proxy between us and the web.
#pragma once

#include <string>

#include "caddis/aio/network.h"

namespace caddis::http {

struct Proxy {
  aio::Endpoint address;      // resolved by whoever sets it up
  std::string authorization;  // the value of Proxy-Authorization, empty for none
};

}  // namespace caddis::http
