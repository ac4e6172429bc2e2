// The control API of a running crawl: HTTP and JSON on the Unix socket `state/control.sock` of its launch, and on a TCP
// address where the operator asks for one: there only whoever has the token is answered (access.h). The command line,
// and every UI, speak this and nothing else. docs/formats/control.md.
//
//   GET  /status   what the crawl does now        POST /pause   no new visits; those in flight end
//   GET  /         the same as a page             POST /resume
//                                                 POST /stop    ends the crawl; it can be resumed
//                                                 POST /settings  changes limits and quotas
//                                                 POST /checkpoint?name=
// and all that control_frontier.h answers.
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
  // Where the page is, "http://127.0.0.1:8444/?token=…"; empty without `listen`.
  const std::string& address() const { return address_; }
  // Under which addresses it can be reached over TCP: no visit of the crawl may go there.
  const std::vector<aio::Endpoint>& endpoints() const { return endpoints_; }
  aio::Task<void> stop();

  // The answer to one request; for tests without sockets. A checkpoint takes its time: that is the other one.
  http::ServerResponse answer(const http::ServerRequest& request);
  aio::Task<http::ServerResponse> take_checkpoint(const http::ServerRequest& request);

 private:
  static std::optional<http::ServerResponse> refuse_change(const http::ServerRequest& request);
  std::optional<http::ServerResponse> refuse_order();
  explicit ControlServer(aio::Loop& loop, crawl::Operator& crawl) : crawl_(crawl), network_(aio::make_network(loop)) {}
  Result<void> listen_at(aio::Loop& loop, const std::string& listen, const http::ServerSettings& settings);
  aio::Task<http::ServerResponse> respond(const http::ServerRequest& request);

  crawl::Operator& crawl_;
  std::unique_ptr<aio::Network> network_;
  std::vector<std::unique_ptr<http::Server>> servers_;
  std::string address_;
  std::vector<aio::Endpoint> endpoints_;
  std::optional<Access> access_;  // over TCP
};

// "127.0.0.1:80", "[::1]:80", ":80" (loopback).
Result<aio::Endpoint> parse_endpoint(std::string_view text);

std::string status_json(const crawl::CrawlStatus& status);
std::string checkpoint_json(const crawl::Checkpoint& checkpoint);
std::string checkpoints_json(const std::vector<crawl::Checkpoint>& checkpoints);

}  // namespace caddis::control
