// Queries over c-ares, driven by a loop, or by a transport of others. Internal.
//
// c-ares opens the sockets and counts tries and time-outs (by the system's clock, as it has no other); the loop tells
// it when a socket is ready and when to look at its time-outs.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "caddis/aio/loop.h"
#include "caddis/base/error.h"
#include "caddis/dns/message.h"
#include "caddis/dns/resolver.h"

namespace caddis::dns {

class Channel {
 public:
  // Called once; never while `query` runs. ErrorCode::not_found: no such name. A name without such records: no answers.
  using Done = std::function<void(Result<Message>)>;

  static Result<std::unique_ptr<Channel>> create(aio::Loop& loop, const Settings& settings);
  // Asks by `transport`; the system's hosts file is read as otherwise.
  static Result<std::unique_ptr<Channel>> create(aio::Loop& loop, const Settings& settings,
                                                 std::unique_ptr<Transport> transport);
  virtual ~Channel() = default;  // queries under way are forgotten
  virtual void query(const std::string& name, Type type, Done done) = 0;
  // Ends queries under way: their callers get what there is.
  virtual aio::Task<void> end() { co_return; }
  // The addresses the system's hosts file gives.
  virtual std::vector<Address> system_hosts(const std::string& name) = 0;
  // The first name server's address.
  virtual std::string server() const = 0;
};

}  // namespace caddis::dns
