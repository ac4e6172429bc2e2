// Connections that wait for the next request to their server. Belongs to its client's loop.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/http/http2_session.h"

namespace caddis::http {

// How many connections may wait for the next request. Where that many do, a further one is closed, unless one of them
// has waited for half of `max_idle_age`: hosts are visited in turn, so those that have waited longest are used next.
struct PoolLimits {
  size_t max_idle = 256;
  size_t max_idle_per_address = 4;  // of one server, whatever the host; not behind a proxy
  Duration max_idle_age = std::chrono::seconds(15);
};

struct Connection {
  std::string key;      // what it is good for
  std::string address;  // of the server; empty behind a proxy
  std::unique_ptr<aio::Stream> stream;
  std::unique_ptr<Http2Session> http2;  // null: HTTP/1.1
  SteadyTime idle_since;
};

class ConnectionPool {
 public:
  // `loop` outlives it.
  ConnectionPool(aio::Loop& loop, PoolLimits limits) : loop_(loop), limits_(limits) {}
  ConnectionPool(const ConnectionPool&) = delete;
  ConnectionPool& operator=(const ConnectionPool&) = delete;
  ~ConnectionPool();

  // One of that key which can be used; nothing if there is none.
  std::optional<Connection> take(const std::string& key);
  void keep(Connection connection);
  void clear();
  size_t size() const { return idle_.size(); }

 private:
  using Idle = std::list<Connection>;
  using ByKey = std::unordered_multimap<std::string, Idle::iterator>;

  Connection take(ByKey::iterator idle);
  bool make_room(const std::string& address);
  void drop(Idle::iterator idle);
  void drop_old();

  aio::Loop& loop_;
  const PoolLimits limits_;
  Idle idle_;  // the one idle for longest first
  ByKey by_key_;
  std::unordered_map<std::string, size_t> idle_at_;  // each address
  std::optional<aio::Loop::TimerId> timer_;
};

}  // namespace caddis::http
