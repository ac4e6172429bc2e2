// The fetchers of a lane: one for HTTP, one for other protocols. Belongs to the lane's loop, but for `received`.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "caddis/fetch/http_fetcher.h"
#include "caddis/fetch/resource_fetcher.h"

namespace caddis::fetch {

class Fetchers {
 public:
  // All outlive it, as with the fetchers.
  Fetchers(http::Client& client, aio::Loop& loop, aio::Network& network, io::SpoolFolder& spools,
           protocols::HostKeys& keys, std::string user_agent, const AddressPolicy* addresses);

  Fetcher& of(const url::Url& url) {
    if (url.is_http()) return http_;
    return resources_;
  }

  // Ends the fetch with that ticket, or all for good.
  void end(uint64_t ticket);
  void abort();
  void close_idle() { client_.close_idle(); }
  // Called whenever a fetch goes on with what it has read (http::Client, protocols::Wires).
  void on_turn(std::function<void(uint64_t ticket)> call);
  // Bytes that have come so far. Any thread.
  uint64_t received() const { return client_.received() + resources_.wires().received(); }

 private:
  http::Client& client_;
  HttpFetcher http_;
  ResourceFetcher resources_;
};

}  // namespace caddis::fetch
