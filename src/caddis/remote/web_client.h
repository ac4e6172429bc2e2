// GET requests for threads that may wait: workers of a server. It has a loop on a thread of its own, which keeps connections
// open for the next request. Any thread; it outlives every request.
#pragma once

#include <future>
#include <memory>
#include <string>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/remote/web_get.h"

namespace caddis::remote {

class WebClient {
 public:
  // `folder` takes what of bodies does not fit into memory; it is made at need.
  WebClient(const Clock& clock, io::Files& files, std::string folder);
  ~WebClient();
  WebClient(const WebClient&) = delete;
  WebClient& operator=(const WebClient&) = delete;

  const Clock& clock() const { return clock_; }
  // The answer comes later; meanwhile others may be begun.
  std::future<Result<WebAnswer>> begin(WebRequest request);
  // Waits for it.
  Result<WebAnswer> get(WebRequest request) { return begin(std::move(request)).get(); }

 private:
  struct State;
  const Clock& clock_;
  std::unique_ptr<State> state_;
};

}  // namespace caddis::remote
