// The API of a harvest server at /api (api/harvest.yaml). Everybody whom the gate lets in may read; each route says which
// role it needs.
//
// One loop. What asks the database, and files, is done on workers.
#pragma once

#include "caddis/access/identity.h"
#include "caddis/aio/blocking.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"
#include "caddis/harvestserver/parts.h"
#include "caddis/http/server.h"

namespace caddis::harvestserver {

class HarvestApi {
 public:
  // All of it must outlive the API.
  HarvestApi(aio::Loop& loop, aio::Blocking& workers, const Parts& parts)
      : loop_(loop), workers_(workers), parts_(parts) {}

  aio::Task<http::ServerResponse> answer(const http::ServerRequest& request, const access::Identity& identity);

 private:
  aio::Loop& loop_;
  aio::Blocking& workers_;
  const Parts& parts_;
};

}  // namespace caddis::harvestserver
