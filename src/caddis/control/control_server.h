// The control API of a running crawl: HTTP and JSON on the Unix socket `state/control.sock` of its launch, and on a TCP
// address if the operator asks for one, where only those who have the token are answered (access.h). The command line,
// and every UI, speak this and nothing else. api/openapi.yaml describes it, routes.h answers it.
//
// Runs on the crawl's loop.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "caddis/aio/network.h"
#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/control/access.h"
#include "caddis/crawl/operator.h"
#include "caddis/http/server.h"

namespace caddis::control {

class ControlServer {
 public:
  // `listen` is "ADDR:PORT" ("[::1]:0"), or empty for the socket alone. The crawl must outlive the server.
  static Result<std::unique_ptr<ControlServer>> start(aio::Loop& loop, crawl::Operator& crawl,
                                                      const std::string& listen);
  // The addresses of the page, "http://127.0.0.1:8444/?token=…", the first one for this machine; none without `listen`.
  const std::vector<std::string>& addresses() const { return addresses_; }
  // Under which addresses it can be reached over TCP: no visit of the crawl may go there.
  const std::vector<aio::Endpoint>& endpoints() const { return endpoints_; }
  aio::Task<void> stop();

 private:
  explicit ControlServer(aio::Loop& loop, crawl::Operator& crawl) : crawl_(crawl), network_(aio::make_network(loop)) {}
  Result<void> listen_at(aio::Loop& loop, const std::string& listen, const http::ServerSettings& settings);

  crawl::Operator& crawl_;
  std::unique_ptr<aio::Network> network_;
  std::vector<std::unique_ptr<http::Server>> servers_;
  std::vector<std::string> addresses_;
  std::vector<aio::Endpoint> endpoints_;
  std::optional<Access> access_;  // over TCP
};

}  // namespace caddis::control
