// A forward proxy that records: it passes the requests of a browser to the live web, gives it the answer while it comes,
// and hands the exchange to a recording. HTTPS is read by certificates of our own (http/proxy_listener.h).
//
//   RecordProxy proxy(world, options, recording);
//   nursery.spawn(proxy.run(std::move(listener)));
//   co_await proxy.stop();                             // afterwards the recording may be closed
//
// Not recorded are WebSockets, which are passed through and told in the log; its own pages; failures, which are
// lines of the log alone. Belongs to one loop.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "caddis/aio/event.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/nursery.h"
#include "caddis/aio/task.h"
#include "caddis/fetch/address_policy.h"
#include "caddis/fetch/settings.h"
#include "caddis/recording/own_pages.h"
#include "caddis/recording/recording.h"
#include "caddis/recording/upstream.h"

namespace caddis::recording {

class ProxyConnection;

// Whether whoever shows these credentials (the value of Proxy-Authorization; empty for none) from there may use the proxy.
using AdmitsClient = std::function<aio::Task<bool>(std::string credentials, aio::Endpoint client)>;

struct RecordProxyOptions {
  fetch::FetchSettings fetch;
  bool records_credentials = false;
  std::string collection;  // as its pages name it
  ProxyCertificate certificate;
  AdmitsClient admits;  // null: everybody
  size_t max_connections = 1000;
};

class RecordProxy {
 public:
  // All of it outlives the proxy.
  RecordProxy(Upstream::World world, RecordProxyOptions options, Recording& recording);
  ~RecordProxy();
  RecordProxy(const RecordProxy&) = delete;
  RecordProxy& operator=(const RecordProxy&) = delete;

  // Serves connections of a listener of http/proxy_listener.h until `stop`.
  aio::Task<void> run(std::unique_ptr<aio::Listener> listener);
  // Takes no further connection, lets running exchanges end for some seconds, then cuts them. All that came is with the
  // recording when it returns.
  aio::Task<void> stop();

  // For connections.
  const RecordProxyOptions& options() const { return options_; }
  const Upstream::World& world() const { return world_; }
  Upstream& upstream() { return upstream_; }
  Recording& recording() { return recording_; }
  bool is_stopping() const { return stopping_; }
  // Records an exchange, whatever becomes of its connection.
  void keep(RecordedExchange exchange);
  OwnPagesFacts facts() const;

 private:
  aio::Task<void> serve(std::unique_ptr<aio::Stream> stream);
  aio::Task<void> keep_it(std::unique_ptr<RecordedExchange> exchange);

  const Upstream::World world_;
  const RecordProxyOptions options_;
  Recording& recording_;
  Upstream upstream_;
  aio::Listener* listener_ = nullptr;
  std::set<ProxyConnection*> connections_;
  bool stopping_ = false;
  aio::Nursery keeping_;
  aio::Nursery nursery_;  // of connections
};

}  // namespace caddis::recording
