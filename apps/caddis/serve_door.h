// The way of a request through `caddis serve`: how many a client may send, who asks (the gate, if there are users), what
// that viewer may see (access rules), the answer of the wayback machine, and the access log.
//
// One loop; what blocks is done on the workers. All that it is made of must outlive it, and it every request.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "archive_door.h"
#include "caddis/access/gate.h"
#include "caddis/aio/blocking.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/http/server.h"
#include "caddis/replay/client_address.h"
#include "caddis/replay/request_limits.h"
#include "caddis/replay/request_log.h"
#include "caddis/replay/served_rules.h"
#include "caddis/replay/wayback.h"

namespace CLI {
class App;
}

namespace caddis::cli {

struct ServeDoorOptions {
  std::vector<std::string> proxies;  // trusted to say whose request they pass on
  std::string user_header;           // in which a trusted proxy names the user
  uint32_t per_minute = 0, at_once = 300;
  replay::RequestLogOptions log;
};
// Adds --trusted-proxy, --user-header, --requests-per-minute, --requests-at-once, --access-log and its limits.
void add_door_options(CLI::App& command, ServeDoorOptions& options);

struct ServeDoorParts {
  replay::Wayback& wayback;
  replay::ServedRules& rules;
  access::Gate* gate;  // null: nobody is asked who they are
  aio::Blocking& workers;
  aio::Loop& loop;
  std::string base;                // the path below which the site stands
  std::vector<std::string> names;  // under which the site may be asked besides addresses and localhost
  // Answers in place of the archive, which it is given; null: nobody does.
  std::function<aio::Task<http::ServerResponse>(const http::ServerRequest&, const ArchiveDoor&)> instead;
};

class ServeDoor {
 public:
  static Result<std::unique_ptr<ServeDoor>> open(ServeDoorParts parts, const ServeDoorOptions& options);
  // For a request as it was sent, with the path below which the site stands.
  aio::Task<http::ServerResponse> answer(const http::ServerRequest& request);
  // The same limits and the same log for a request that another handler answers, which must outlive it.
  aio::Task<http::ServerResponse> let_through(const http::ServerRequest& request, const http::Handler& handler);

 private:
  ServeDoor(ServeDoorParts parts, const ServeDoorOptions& options, replay::ClientAddress clients,
            std::unique_ptr<replay::RequestLog> log)
      : parts_(parts),
        clients_(std::move(clients)),
        log_(std::move(log)),
        limits_(options.per_minute, options.at_once),
        user_header_(options.user_header) {}
  aio::Task<http::ServerResponse> answer_below(const http::ServerRequest& request, const std::string& address,
                                               std::string& user);
  // Why whoever asks may not have the archive changed.
  aio::Task<std::optional<http::ServerResponse>> refuse_change(const http::ServerRequest& request, std::string& user);
  // Sets `user` to whoever it was.
  aio::Task<http::ServerResponse> answer_for(const http::ServerRequest& request, const std::string& address,
                                             std::string& user);
  // `user` is who it was, when the handler has answered.
  aio::Task<http::ServerResponse> limit_and_log(const http::ServerRequest& request, const std::string& address,
                                                const std::string& user, const http::Handler& handler);
  aio::Task<http::ServerResponse> show(const http::ServerRequest& request, const viewing::Viewer& viewer);
  aio::Task<http::ServerResponse> answer_admin(const http::ServerRequest& request, const std::string& address,
                                               const std::string& user);
  viewing::Viewer viewer_without_gate(const http::ServerRequest& request, const std::string& address) const;

  const ServeDoorParts parts_;
  const replay::ClientAddress clients_;
  const std::unique_ptr<replay::RequestLog> log_;
  replay::RequestLimits limits_;
  const std::string user_header_;
};

}  // namespace caddis::cli
