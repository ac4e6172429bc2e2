// The gate that every request to an archive's servers passes first: how many a client may send, and the access log.
// `caddis serve` and the index server share it.
//
//   TRY(const auto door, RequestDoor::open(loop, workers, options, proxies));
//   …
//   co_return co_await door->let_through(request, handler);
//
// One loop; the log is written on the workers. Loop and workers outlive it, and it every request.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "caddis/access/client_address.h"
#include "caddis/aio/blocking.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/http/server.h"
#include "caddis/replay/request_limits.h"
#include "caddis/replay/request_log.h"

namespace CLI {
class App;
}

namespace caddis::cli {

struct RequestDoorOptions {
  uint32_t per_minute = 0, at_once = 300;
  replay::RequestLogOptions log;
};
// Adds --requests-per-minute, --requests-at-once, --access-log and its limits.
void add_request_door_options(CLI::App& command, RequestDoorOptions& options);

class RequestDoor {
 public:
  // `proxies`: trusted to say whose request they pass on. ErrorCode::config for one that is no address, io for a log that
  // cannot be written.
  static Result<std::unique_ptr<RequestDoor>> open(aio::Loop& loop, aio::Blocking& workers,
                                                   const RequestDoorOptions& options,
                                                   const std::vector<std::string>& proxies);
  RequestDoor(const RequestDoor&) = delete;
  RequestDoor& operator=(const RequestDoor&) = delete;

  const access::ClientAddress& clients() const { return clients_; }
  // How many requests were refused since their client had sent too many.
  uint64_t refused() const { return limits_.refused(); }
  // `user` is who it was, when the handler has answered; the handler outlives the call, and the request the sending of the
  // response.
  aio::Task<http::ServerResponse> let_through(const http::ServerRequest& request, const std::string& user,
                                              const http::Handler& handler);

 private:
  aio::Task<void> log_sent(const http::ServerRequest& request, const std::string& address, const std::string& user,
                           const http::SentResponse& sent);
  RequestDoor(aio::Loop& loop, aio::Blocking& workers, const RequestDoorOptions& options, access::ClientAddress clients,
              std::unique_ptr<replay::RequestLog> log)
      : loop_(loop),
        workers_(workers),
        clients_(std::move(clients)),
        log_(std::move(log)),
        limits_(options.per_minute, options.at_once) {}

  aio::Loop& loop_;
  aio::Blocking& workers_;
  const access::ClientAddress clients_;
  const std::unique_ptr<replay::RequestLog> log_;
  replay::RequestLimits limits_;
};

}  // namespace caddis::cli
