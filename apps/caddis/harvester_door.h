// Answers of a harvester to a monitoring system: /metrics (Prometheus) and /healthz, to everybody who reaches it.
//
// Belongs to the loop.
#pragma once

#include <memory>
#include <string>

#include "caddis/aio/blocking.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/engine/jobs.h"
#include "caddis/http/server.h"

namespace caddis::cli {

class HarvesterDoor {
 public:
  // `jobs` outlive it. Without an address it answers nobody. Where it listens is said on standard output.
  static Result<std::unique_ptr<HarvesterDoor>> open(aio::Loop& loop, const std::string& listen, engine::Jobs& jobs);
  aio::Task<void> close();

 private:
  HarvesterDoor(aio::Loop& loop, engine::Jobs& jobs);
  aio::Task<http::ServerResponse> answer(const http::ServerRequest& request);

  aio::Loop& loop_;
  engine::Jobs& jobs_;
  std::unique_ptr<aio::Network> network_;
  std::unique_ptr<aio::Blocking> workers_;
  std::unique_ptr<http::Server> server_;
};

}  // namespace caddis::cli
