// The door of a recording proxy: it lets in those of a file of users, by Basic (Proxy-Authorization). Credentials
// that were good stay good for a minute, since a page is a hundred requests.
//
// One loop.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "access_options.h"
#include "caddis/access/gate.h"
#include "caddis/aio/blocking.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/task.h"
#include "caddis/base/clock.h"
#include "caddis/base/error.h"

namespace caddis::cli {

class RecordProxyDoor {
 public:
  // The file of users has to be given. Loop and workers outlive it.
  static Result<std::unique_ptr<RecordProxyDoor>> open(aio::Loop& loop, aio::Blocking& workers,
                                                       const AccessOptions& access);

  // `credentials`: as in Proxy-Authorization; empty for none. Whoever records changes the archive: an operator may.
  // Those who fail have to wait, by the address of `client`.
  aio::Task<bool> admit(std::string credentials, aio::Endpoint client);

 private:
  RecordProxyDoor(aio::Loop& loop, std::unique_ptr<access::Gate> gate) : loop_(loop), gate_(std::move(gate)) {}

  aio::Loop& loop_;
  const std::unique_ptr<access::Gate> gate_;
  std::map<std::string, SteadyTime, std::less<>> known_;  // by digest, until when
};

}  // namespace caddis::cli
