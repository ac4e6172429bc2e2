// The engine's API at /api (api/engine.yaml): the table of routes, and the answers by it.
//
// One loop. What reads files or waits for a crawl is done on workers.
#pragma once

#include <string>

#include "caddis/access/identity.h"
#include "caddis/aio/blocking.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"
#include "caddis/base/clock.h"
#include "caddis/engine/event_hub.h"
#include "caddis/engine/jobs.h"
#include "caddis/http/server.h"

namespace caddis::engine {

class EngineApi {
 public:
  // All of it must outlive the API.
  EngineApi(aio::Loop& loop, aio::Blocking& workers, Jobs& jobs, EventHub& events);

  aio::Task<http::ServerResponse> answer(const http::ServerRequest& request, const access::Identity& identity);

 private:
  aio::Task<http::ServerResponse> pass_on(const http::ServerRequest& request, std::string job, std::string path,
                                          std::string actor);

  aio::Loop& loop_;
  aio::Blocking& workers_;
  Jobs& jobs_;
  EventHub& events_;
  const std::string started_;
};

}  // namespace caddis::engine
