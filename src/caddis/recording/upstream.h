// The way from the proxy to the live web: one exchange at a time, recorded as it comes (http/recorder.h), and told of
// while it comes. It keeps connections open for the next exchange.
//
// It is no double of http::Client: that one gives a response when it is whole, and sends bodies from memory. This one
// passes on what has come, sends bodies from a spool, and hands over a connection that has changed to WebSocket.
// HTTP/1.1 alone: what is recorded are the bytes of the wire.
//
// Belongs to one loop.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/task.h"
#include "caddis/base/fetch_status.h"
#include "caddis/dns/resolver.h"
#include "caddis/fetch/address_policy.h"
#include "caddis/fetch/settings.h"
#include "caddis/http/connection_pool.h"
#include "caddis/http/exchange.h"
#include "caddis/io/spool.h"
#include "caddis/recording/outgoing_request.h"

namespace caddis::recording {

// Whoever takes a response while it comes.
class ResponseFollower {
 public:
  virtual ~ResponseFollower() = default;
  // More has come, or nothing more will. It may wait: nothing is read meanwhile.
  virtual aio::Task<void> follow(const http::Exchange& so_far) = 0;
  // Why the rest is not wanted; empty while it is.
  virtual std::string gives_up() const = 0;
};

struct UpstreamTarget {
  bool tls = false;
  std::string host;  // as in the URL
  uint16_t port = 80;
};

struct UpstreamFailure {
  FetchStatus status = 0;  // base/fetch_status.h
  std::string error;
  bool is_tls = false;  // the server's certificate or its TLS
  bool is_timeout = false;
};

// A connection that has changed its protocol, and what of it has been read already.
struct Upgraded {
  std::unique_ptr<aio::Stream> stream;
  std::string head, behind;
};

struct UpstreamResult {
  std::optional<http::Exchange> exchange;
  std::optional<Upgraded> upgraded;
  UpstreamFailure failure;  // if there is neither
  std::string cut;          // why we ourselves have cut it
};

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

 private:
  struct Opened {
    http::Connection connection;
    bool is_reused = false;
    Duration took{};
  };
  using OpenResult = std::expected<Opened, UpstreamFailure>;
  aio::Task<OpenResult> open(const UpstreamTarget& target, bool may_reuse);
  aio::Task<OpenResult> connect(const UpstreamTarget& target, std::string key);
  aio::Task<void> send(aio::Stream& stream, const OutgoingRequest& request, const io::Spool* body);
  aio::Task<UpstreamResult> exchange(Opened& opened, const OutgoingRequest& request, const io::Spool* body,
                                     ResponseFollower& follower, bool& is_stale);
  void await_progress(aio::Stream& stream) const;

  const World world_;
  const fetch::FetchSettings& settings_;
  http::ConnectionPool pool_;
  std::set<aio::Stream*> active_;
  bool aborted_ = false;
};

}  // namespace caddis::recording
