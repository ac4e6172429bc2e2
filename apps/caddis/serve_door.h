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
#include "request_door.h"
#include "served_archive.h"

namespace CLI {
class App;
}

namespace caddis::cli {

struct ServeDoorOptions {
  RequestDoorOptions requests;
  std::string user_header;  // in which a trusted proxy names the user
};
// Adds --user-header, and the options of every request.
void add_door_options(CLI::App& command, ServeDoorOptions& options);

struct ServeDoorParts {
  const CurrentArchive& current;
  access::Gate* gate;  // null: nobody is asked who they are
  aio::Blocking& workers;
  aio::Loop& loop;
  std::string base;                  // the path below which the site stands
  std::vector<std::string> names;    // under which the site may be asked besides addresses and localhost
  std::vector<std::string> proxies;  // trusted to say whose request they pass on
  // Answers in place of the archive, which it is given; null: nobody does.
  std::function<aio::Task<http::ServerResponse>(const http::ServerRequest&, const ArchiveDoor&)> instead;
};

class ServeDoor {
 public:
  static Result<std::unique_ptr<ServeDoor>> open(ServeDoorParts parts, const ServeDoorOptions& options);
  // For a request as it was sent, with the path below which the site stands.
  aio::Task<http::ServerResponse> answer(const http::ServerRequest& request);
  // The limits and the log, which other servers beside the pages share.
  RequestDoor& requests() { return *requests_; }

 private:
  ServeDoor(ServeDoorParts parts, const ServeDoorOptions& options, std::unique_ptr<RequestDoor> requests)
      : parts_(std::move(parts)), requests_(std::move(requests)), user_header_(options.user_header) {}
  aio::Task<http::ServerResponse> answer_below(const http::ServerRequest& request, const std::string& address,
                                               std::string& user);
  // Why whoever asks may not have the archive changed.
  aio::Task<std::optional<http::ServerResponse>> refuse_change(const http::ServerRequest& request, std::string& user);
  // Sets `user` to whoever it was.
  aio::Task<http::ServerResponse> answer_for(const http::ServerRequest& request, const std::string& address,
                                             std::string& user);
  aio::Task<http::ServerResponse> show(const http::ServerRequest& request, const viewing::Viewer& viewer,
                                       std::shared_ptr<const ServedArchive> archive);
  // An archive that has no access rules, and nobody is asked who they are.
  aio::Task<http::ServerResponse> show_other(const http::ServerRequest& request, const std::string& address,
                                             std::shared_ptr<const ServedArchive> archive);
  aio::Task<http::ServerResponse> answer_admin(const http::ServerRequest& request, const std::string& address,
                                               const std::string& user);
  viewing::Viewer viewer_without_gate(const http::ServerRequest& request, const std::string& address) const;

  const ServeDoorParts parts_;
  const std::unique_ptr<RequestDoor> requests_;
  const std::string user_header_;
};

}  // namespace caddis::cli
