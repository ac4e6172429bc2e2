// An HTTP/1.1 client that records exactly what it sends and receives, and keeps connections open for the next request.
//
//   Client client(loop, network, spool_folder);
//   FetchResult result = co_await client.fetch(origin, std::move(request), limits);
//
// One per lane: it belongs to its loop's thread, as do loop, network and spool folder, which outlive it. It may be
// destroyed when no fetch runs any more; `abort` makes those that run end soon. It follows no redirect, keeps no
// cookie, answers no challenge: whoever uses it decides that. Requests are not pipelined.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/http/exchange.h"
#include "caddis/http/proxy.h"
#include "caddis/http/request.h"

namespace caddis::http {

// Whom to ask. All of it distinguishes connections: what was opened for one origin is never used for another.
struct Origin {
  bool tls = false;
  std::string host;  // as in the URL; SNI and the certificate's name for TLS
  uint16_t port = 80;
  aio::Endpoint address;         // where the host is; not used behind a proxy
  bool require_trusted = false;  // no response from a certificate that is not trusted
};

// How many connections may wait for the next request. Where that many do, a further one is closed, unless one of them
// has waited for half of `max_idle_age`: hosts are visited in turn, so those that have waited longest are used next.
struct PoolLimits {
  size_t max_idle = 256;
  size_t max_idle_per_address = 4;  // of one server, whatever the host; not behind a proxy
  Duration max_idle_age = std::chrono::seconds(15);
};

struct ClientStats {
  uint64_t opened = 0;  // connections
  uint64_t reused = 0;  // exchanges on a connection that had carried one before
  uint64_t stale = 0;   // of those, which turned out to be closed and were repeated on a new connection
  size_t idle = 0;
};

class Client {
 public:
  Client(aio::Loop& loop, aio::Network& network, io::SpoolFolder& spools, PoolLimits limits = {});
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client();

  // One exchange. `proxy` may be null, and otherwise lives until the fetch ends; it is sent plain requests in absolute
  // form with its own credentials, and a tunnel is made for TLS. What is recorded is what the server is to see.
  aio::Task<FetchResult> fetch(Origin origin, Request request, Limits limits, const Proxy* proxy = nullptr);

  // Ends the exchange of the request with that ticket, as if the server had closed the connection, also while it
  // connects; nothing where there is none.
  void end(uint64_t ticket);
  // Ends running fetches (ErrorCode::cancelled) and refuses further ones.
  void abort();
  void close_idle();
  ClientStats stats() const;
  // Called, with the ticket of the request, whenever an exchange goes on with what it has read; with 0 when it waits
  // again.
  void on_turn(std::function<void(uint64_t ticket)> call) { on_turn_ = std::move(call); }
  // Bytes of responses so far, those that still come included. Any thread.
  uint64_t received() const { return received_.load(std::memory_order_relaxed); }

 private:
  struct Connection {
    std::string key;
    std::string address;  // of the server; empty behind a proxy
    std::unique_ptr<aio::Stream> stream;
    SteadyTime idle_since;
  };
  using Idle = std::list<Connection>;
  using ByKey = std::unordered_multimap<std::string, Idle::iterator>;
  class Active;
  struct Message {
    std::string method, bytes;
    std::string recorded;  // empty: as `bytes`
    uint64_t ticket = 0;
    bool is_last = false;  // of its connection: it says so (RFC 9112 section 9.6)
  };

  static Message message_for(Request request, const Origin& origin, const Proxy* proxy);
  std::optional<Connection> take_idle(const std::string& key);
  void keep(Connection connection, const Message& message, const FetchResult& result);
  Connection take(ByKey::iterator idle);
  bool make_room(const std::string& address);
  void drop(Idle::iterator idle);
  void drop_old();
  aio::Task<std::expected<Connection, Failure>> establish(const Origin& origin, std::string key, SteadyTime deadline,
                                                          const Proxy* proxy, uint64_t ticket);
  aio::Task<std::expected<std::unique_ptr<aio::Stream>, Failure>> tunnel(std::unique_ptr<aio::Stream> stream,
                                                                         const Origin& origin, SteadyTime deadline,
                                                                         const Proxy& proxy);
  aio::Task<FetchResult> exchange(Connection& connection, const Message& message, const Limits& limits, Timings timings,
                                  SteadyTime begun, bool reused);
  std::unique_ptr<char[]> take_buffer();
  void give_back(std::unique_ptr<char[]> buffer);

  aio::Loop& loop_;
  aio::Network& network_;
  io::SpoolFolder& spools_;
  const PoolLimits pool_;
  Idle idle_;  // the one idle for longest first
  ByKey by_key_;
  std::unordered_map<std::string, size_t> idle_at_;    // each address
  std::unordered_map<aio::Stream*, uint64_t> active_;  // with the request's ticket
  std::unordered_set<uint64_t> ended_;                 // tickets of exchanges that `end` has ended
  std::vector<std::unique_ptr<char[]>> buffers_;
  std::optional<aio::Loop::TimerId> timer_;
  ClientStats stats_;
  std::atomic<uint64_t> received_ = 0;
  bool aborted_ = false;
  std::function<void(uint64_t)> on_turn_ = [](uint64_t) {};
};

}  // namespace caddis::http
