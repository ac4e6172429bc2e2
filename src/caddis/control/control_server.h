// The control API of a running crawl: HTTP and JSON on the Unix socket `state/control.sock` of its launch, and on a TCP
// address if the operator asks for one, where only those who have the token (access.h), or whom a gate lets in
// (access/gate.h), are answered. The command line, and every UI, speak this and nothing else. api/openapi.yaml describes it, routes.h answers it.
//
// Runs on the crawl's loop.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "caddis/access/gate.h"
#include "caddis/aio/network.h"
#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/control/access.h"
#include "caddis/crawl/operator.h"
#include "caddis/http/server.h"

namespace caddis::control {

// How to be reached over TCP.
struct ControlListening {
  std::string at;  // "ADDR:PORT" ("[::1]:0"); empty: on the socket alone
  std::string scheme = "http";
  // Listens with TLS; empty: without.
  std::function<Result<std::unique_ptr<aio::Listener>>(aio::Loop&, aio::Network&, const aio::Endpoint&)> listen = {};
  // Makes the gate, which takes the token, too; empty: the token alone is taken.
  std::function<Result<std::unique_ptr<access::Gate>>(aio::Loop&, const std::string& token)> gate = {};
};

class ControlServer {
 public:
  // The crawl must outlive the server.
  static Result<std::unique_ptr<ControlServer>> start(aio::Loop& loop, crawl::Operator& crawl,
                                                      const ControlListening& listening);
  // The addresses of the page, "http://127.0.0.1:8444/?token=…", the first one for this machine; none on the
  // socket alone.
  const std::vector<std::string>& addresses() const { return addresses_; }
  // Under which addresses it can be reached over TCP: no visit of the crawl may go there.
  const std::vector<aio::Endpoint>& endpoints() const { return endpoints_; }
  aio::Task<void> stop();

 private:
  explicit ControlServer(aio::Loop& loop, crawl::Operator& crawl) : crawl_(crawl), network_(aio::make_network(loop)) {}
  Result<void> listen_at(aio::Loop& loop, const ControlListening& listening, const http::ServerSettings& settings);
  // Over TCP.
  aio::Task<http::ServerResponse> answer(const http::ServerRequest& request);

  crawl::Operator& crawl_;
  std::unique_ptr<aio::Network> network_;
  std::vector<std::unique_ptr<http::Server>> servers_;
  std::vector<std::string> addresses_;
  std::vector<aio::Endpoint> endpoints_;
  std::optional<Access> access_;        // over TCP
  std::unique_ptr<access::Gate> gate_;  // in place of it; may be null
};

}  // namespace caddis::control
