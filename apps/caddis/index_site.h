// An index server that listens: the one of `caddis index serve`, and the one beside the pages of `caddis serve`. GET /healthz
// says to anybody that it lives, /metrics tells Prometheus.
//
//   TRY(const auto site, IndexSite::start({loop, network, workers, folder}, std::move(options), access));
//   …
//   co_await site->stop();
//
// Belongs to the loop.
#pragma once

#include <memory>
#include <string>

#include "access_options.h"
#include "caddis/access/identity.h"
#include "caddis/aio/blocking.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/cdxserver/index_folder.h"
#include "caddis/cdxserver/index_server.h"
#include "caddis/http/server.h"
#include "request_door.h"

namespace caddis::cli {

// All of it outlives the site.
struct IndexSiteWorld {
  aio::Loop& loop;
  aio::Network& network;
  aio::Blocking& workers;
  cdxserver::IndexFolder& folder;
  RequestDoor& door;  // limits and logs the requests
};

struct IndexSiteOptions {
  std::string listen;
  std::string_view listen_option = "--listen";  // by which it was given
  cdxserver::IndexServerOptions server;
  access::Role least = access::Role::viewer;  // that whoever asks must have, if there are users
  access::Gate* gate = nullptr;               // null: one of its own, if there are users
  size_t max_connections = http::ServerSettings().max_connections;
  size_t max_per_address = http::ServerSettings().max_per_address;
};

class IndexSite {
 public:
  // Listens. ErrorCode::config for an address that others reach, unless there are users and TLS, or --insecure names it.
  static Result<std::unique_ptr<IndexSite>> start(const IndexSiteWorld& world, IndexSiteOptions options,
                                                  const AccessOptions& access);
  ~IndexSite();
  IndexSite(const IndexSite&) = delete;
  IndexSite& operator=(const IndexSite&) = delete;

  aio::Endpoint local() const;
  aio::Task<void> stop();

 private:
  struct Parts;
  explicit IndexSite(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace caddis::cli
