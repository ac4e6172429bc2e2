// An HTTP client that records exactly what it sends and receives, and keeps connections open for the next request. It
// speaks HTTP/1.1; and HTTP/2, recorded as its HTTP/1.1 rendition (http2_session.h), with servers of TLS that take it, if
// that is asked for.
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
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/http/connection_pool.h"
#include "caddis/http/exchange.h"
#include "caddis/http/http1_servers.h"
#include "caddis/http/proxy.h"
#include "caddis/http/request.h"

namespace caddis::http {

// Whom to ask. All of it distinguishes connections: what was opened for one origin is never used for another.
struct Origin {
  bool tls = false;
  std::string host;  // as in the URL; SNI and the certificate's name for TLS
  uint16_t port = 80;
  aio::Endpoint address;  // where the host is; not used behind a proxy
  aio::TlsTrust trust = aio::TlsTrust::open;
  aio::TlsVersion lowest_tls = aio::TlsVersion::v1_0;
  bool offers_http2 = false;  // over TLS
  std::string local_address;  // of this machine, to connect from, a literal; empty: the system chooses
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
  // form with its own credentials, and a tunnel is made for TLS; one of SOCKS makes a way for either. What is recorded
  // is what the server is to see.
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
  class Active;
  struct Message {
    Request request;
    std::string bytes;     // over HTTP/1.1
    std::string recorded;  // empty: as `bytes`
    bool is_last = false;  // of its connection: it says so (RFC 9112 section 9.6)
    std::string to_proxy;  // the credentials that it has for the proxy
  };

  static Message message_for(Request request, const Origin& origin, const Proxy* proxy);
  void keep(Connection connection, const Message& message, const FetchResult& result);
  aio::Task<std::expected<Connection, Failure>> establish(const Origin& origin, std::string key, SteadyTime deadline,
                                                          const Proxy* proxy, uint64_t ticket);
  aio::Task<std::expected<std::unique_ptr<aio::Stream>, Failure>> through(std::unique_ptr<aio::Stream> stream,
                                                                          const Origin& origin, SteadyTime deadline,
                                                                          const Proxy& proxy, uint64_t ticket,
                                                                          bool& asks_again);
  aio::Task<std::expected<std::unique_ptr<aio::Stream>, Failure>> tunnel(std::unique_ptr<aio::Stream> stream,
                                                                         const Origin& origin, SteadyTime deadline,
                                                                         const Proxy& proxy, bool& asks_again);
  aio::Task<FetchResult> exchange(Connection& connection, const Message& message, const Limits& limits, Timings timings,
                                  SteadyTime begun, bool reused);
  static void add_connection(Exchange& exchange, const Connection& connection, const Message& message, bool may_go_on);
  std::unique_ptr<char[]> take_buffer();
  void give_back(std::unique_ptr<char[]> buffer);

  aio::Loop& loop_;
  aio::Network& network_;
  io::SpoolFolder& spools_;
  ConnectionPool pool_;
  Http1Servers http1_only_;
  std::unordered_map<aio::Stream*, uint64_t> active_;  // with the request's ticket
  std::unordered_set<uint64_t> ended_;                 // tickets of exchanges that `end` has ended
  std::vector<std::unique_ptr<char[]>> buffers_;
  ClientStats stats_;
  std::atomic<uint64_t> received_ = 0;
  bool aborted_ = false;
  std::function<void(uint64_t)> on_turn_ = [](uint64_t) {};
};

}  // namespace caddis::http
