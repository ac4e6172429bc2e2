// The way from the proxy to the live web: one exchange at a time, recorded as it comes (http/recorder.h), and told of
// while it comes. It keeps connections open for the next exchange.
//
// It is no double of http::Client: that one gives a response when it is whole, and sends bodies from memory. This one
// passes on what has come, sends bodies from a spool, and hands over a connection that has changed to WebSocket.
// It speaks HTTP/1.1; and HTTP/2 with servers of TLS that take it, if fetch.http-version says so, as a crawl does. A
// request that wants to change to WebSocket, or whose body is longer than kMostOverHttp2, goes over HTTP/1.1.
//
// Belongs to one loop.
#pragma once

#include <cstdint>
#include <expected>
#include <set>
#include <string>

#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/task.h"
#include "caddis/dns/resolver.h"
#include "caddis/fetch/address_policy.h"
#include "caddis/fetch/settings.h"
#include "caddis/http/connection_pool.h"
#include "caddis/http/http1_servers.h"
#include "caddis/io/spool.h"
#include "caddis/recording/outgoing_request.h"
#include "caddis/recording/upstream_exchange.h"
#include "caddis/recording/upstream_result.h"

namespace caddis::recording {

struct UpstreamTarget {
  bool tls = false;
  std::string host;  // as in the URL
  uint16_t port = 80;
};

// The longest body, in bytes, that a request has over HTTP/2: its session holds it in memory.
inline constexpr uint64_t kMostOverHttp2 = 256 * 1024;

class Upstream {
 public:
  // Registers a stream, so that `abort` finds it.
  class Active {
   public:
    Active(Upstream& upstream, aio::Stream& stream) : upstream_(upstream), stream_(stream) {
      upstream_.active_.insert(&stream_);
    }
    Active(const Active&) = delete;
    Active& operator=(const Active&) = delete;
    ~Active() { upstream_.active_.erase(&stream_); }

   private:
    Upstream& upstream_;
    aio::Stream& stream_;
  };
  struct World {
    aio::Loop& loop;
    aio::Network& network;
    dns::Resolver& resolver;
    io::SpoolFolder& spools;
    const fetch::AddressPolicy& addresses;
  };
  // All of it outlives this.
  Upstream(World world, const fetch::FetchSettings& settings);
  Upstream(const Upstream&) = delete;
  Upstream& operator=(const Upstream&) = delete;

  // `body` may be null. Both, and the follower, live until it ends.
  aio::Task<UpstreamResult> fetch(UpstreamTarget target, const OutgoingRequest& request, const io::Spool* body,
                                  ResponseFollower& follower);
  // Ends exchanges that run, and refuses further ones.
  void abort();
  const World& world() const { return world_; }

 private:
  using OpenResult = std::expected<OpenConnection, UpstreamFailure>;
  struct Way {
    bool offers_http2 = false, may_reuse = false;
  };
  Way way_for(const UpstreamTarget& target, const OutgoingRequest& request, const io::Spool* body) const;
  aio::Task<OpenResult> open(const UpstreamTarget& target, Way way);
  aio::Task<OpenResult> connect(const UpstreamTarget& target, std::string key, bool offers_http2);

  const World world_;
  const fetch::FetchSettings& settings_;
  http::ConnectionPool pool_;
  http::Http1Servers http1_only_;
  std::set<aio::Stream*> active_;
  bool aborted_ = false;
};

}  // namespace caddis::recording
