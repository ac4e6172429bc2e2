// The way of `caddis serve --live` to the live web: settings of fetching, name servers, spools in a temporary folder.
//
//   TRY(const auto web, LiveWeb::open(loop, network, options));
//   auto fetched = co_await web->fetch(request, url, via);
//   co_await web->end();
//
// Belongs to the loop. Loop and network outlive it; it outlives whatever was fetched.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/http/exchange.h"
#include "caddis/http/server.h"
#include "caddis/url/url.h"
#include "setting_options.h"

namespace CLI {
class App;
}

namespace caddis::cli {

struct LiveWebOptions {
  bool is_on = false;
  std::string config;  // a file of settings
  SettingOptions settings;
};
// Adds --live, and the settings of its fetching.
void add_live_options(CLI::App& command, LiveWebOptions& options);

class LiveWeb {
 public:
  // ErrorCode::config for settings that make no sense, io if there is no temporary folder.
  static Result<std::unique_ptr<LiveWeb>> open(aio::Loop& loop, aio::Network& network, const LiveWebOptions& options);
  LiveWeb(const LiveWeb&) = delete;
  LiveWeb& operator=(const LiveWeb&) = delete;
  ~LiveWeb();

  // The response, as far as it has come in time. ErrorCode::io, with words for people, if there is none.
  aio::Task<Result<std::shared_ptr<const http::Exchange>>> fetch(const http::ServerRequest& asked, const url::Url& url,
                                                                 const std::string& via);
  // Nobody is led to the doors of this process.
  void forbid(const std::vector<aio::Endpoint>& listeners);
  // Cuts what is fetched, so that whoever waits for it ends.
  void abort();
  // When nothing is fetched any more.
  aio::Task<void> end();

 private:
  struct Parts;
  explicit LiveWeb(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace caddis::cli
