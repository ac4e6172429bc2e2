// Connections of harvest servers and harvesters to others: TCP, with TLS or without, or a Unix socket on the same machine.
//
// One loop.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/task.h"
#include "caddis/base/clock.h"
#include "caddis/base/error.h"

namespace caddis::harvestserver {

struct WebPlace {
  std::string socket;  // a path; or
  std::string host;
  uint16_t port = 0;
  bool is_tls = false;
  std::string path;         // of the address, without a slash at its end
  std::string fingerprint;  // SHA-256 of the certificate that is expected; empty: the machine has to trust it

  // "a.example", "a.example:8444": the field Host.
  std::string authority() const;
};

// "https://harvest.example:8444/archive", or a path of a socket. ErrorCode::config if it is neither.
Result<WebPlace> place_of(const std::string& address);
// ErrorCode::denied if the server shows another certificate than the one that is expected.
aio::Task<Result<std::unique_ptr<aio::Stream>>> connect_to(aio::Loop& loop, aio::Network& network,
                                                           const WebPlace& place, SteadyTime deadline);

}  // namespace caddis::harvestserver
