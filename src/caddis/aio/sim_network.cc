#include <utility>

#include "caddis/aio/event.h"
#include "caddis/aio/sim.h"
#include "caddis/aio/sim_stream.h"
#include "caddis/aio/socket_address.h"

namespace caddis::aio {

namespace internal {

// Registered with its network, which it must not outlive.
class SimListener final : public Listener {
 public:
  SimListener(SimNetwork& network, std::string name, Endpoint at)
      : network_(network), name_(std::move(name)), local_(std::move(at)), changed_(network.loop_) {
    network_.listeners_[name_] = this;
  }
  SimListener(const SimListener&) = delete;
  SimListener& operator=(const SimListener&) = delete;
  ~SimListener() override { close(); }

  Task<Result<std::unique_ptr<Stream>>> accept() override {
    while (!closed_ && waiting_.empty()) co_await changed_.wait();
    if (closed_) co_return fail(ErrorCode::cancelled, "the listener has been closed");
    auto stream = std::move(waiting_.front());
    waiting_.pop_front();
    co_return stream;
  }
  Endpoint local() const override { return local_; }
  void close() override {
    if (std::exchange(closed_, true)) return;
    network_.listeners_.erase(name_);
    waiting_.clear();
    changed_.notify();
  }
  void push(std::unique_ptr<Stream> stream) {
    waiting_.push_back(std::move(stream));
    changed_.notify();
  }

 private:
  SimNetwork& network_;
  const std::string name_;
  const Endpoint local_;
  std::deque<std::unique_ptr<Stream>> waiting_;
  Event changed_;
  bool closed_ = false;
};

}  // namespace internal

SimNetwork::SimNetwork(SimLoop& loop, const SimNetworkSettings& settings) : loop_(loop), settings_(settings) {}

SimNetwork::~SimNetwork() { nursery_.abandon(); }

void SimNetwork::serve(const Endpoint& at, SimServer server) { servers_[to_string(at)] = std::move(server); }

Task<Result<std::unique_ptr<Stream>>> SimNetwork::connect(Endpoint to, const TlsOptions* tls, SteadyTime deadline,
                                                          uint64_t /*ticket*/, std::string /*from*/) {
  const std::string name = to_string(to);
  TlsInfo claimed("tls/1.3", "TLS_AES_128_GCM_SHA256");
  if (tls != nullptr && tls->offers_http2 && settings_.takes_http2) claimed.application = "h2";
  co_return co_await connect_to(name, to, tls != nullptr ? &claimed : nullptr, deadline);
}

Task<Result<std::unique_ptr<Stream>>> SimNetwork::connect_unix(std::string path, SteadyTime deadline) {
  co_return co_await connect_to(path, Endpoint(), nullptr, deadline);
}

Task<Result<std::unique_ptr<Stream>>> SimNetwork::connect_to(std::string name, Endpoint to, const TlsInfo* tls,
                                                             SteadyTime deadline) {
  using internal::SimConnection;
  ++connections_;
  auto fault = SimConnection::Fault::none;
  if (drawn(settings_.reset)) fault = SimConnection::Fault::reset;
  if (drawn(settings_.stalled)) fault = SimConnection::Fault::stall;
  const uint64_t fault_after = loop_.random().below(settings_.fault_within) + 1;
  const auto connection = std::make_shared<SimConnection>(loop_, settings_, fault, fault_after);
  const bool hanging = drawn(settings_.hanging);
  const bool refused = drawn(settings_.refused);
  const SteadyTime answered = hanging ? SteadyTime::max() : loop_.clock().steady() + connection->latency();
  if (hanging && deadline == SteadyTime::max()) co_await std::suspend_always();  // for ever
  co_await sleep_until(loop_, std::min(answered, deadline));
  if (answered > deadline) co_return fail(ErrorCode::timeout, "connection to " + name + ": no answer in time");

  const Endpoint client("192.0.2.254", static_cast<uint16_t>(1024 + loop_.random().below(60'000)));
  auto far_end = std::make_unique<internal::SimStream>(connection, 1, client, tls);
  if (refused || !deliver(name, to, std::move(far_end))) {
    co_return fail(ErrorCode::io, "connection to " + name + ": Connection refused");
  }
  auto stream = std::make_unique<internal::SimStream>(connection, 0, std::move(to), tls);
  stream->set_deadline(deadline);
  co_return std::unique_ptr<Stream>(std::move(stream));
}

bool SimNetwork::deliver(const std::string& name, const Endpoint& to, std::unique_ptr<Stream> far_end) {
  if (const auto listener = listeners_.find(name); listener != listeners_.end()) {
    listener->second->push(std::move(far_end));
    return true;
  }
  const auto known = servers_.find(name);
  if (known == servers_.end() && find_server_) {
    if (SimServer found = find_server_(to)) servers_[name] = std::move(found);
  }
  const auto server = servers_.find(name);
  if (server == servers_.end()) return false;
  nursery_.spawn(server->second(std::move(far_end)));
  return true;
}

Result<std::unique_ptr<Listener>> SimNetwork::listen(const Endpoint& at) {
  Endpoint bound = at;
  while (bound.port == 0 || (at.port == 0 && listeners_.contains(to_string(bound)))) bound.port = next_port_++;
  std::string name = to_string(bound);
  return listen_at(std::move(name), std::move(bound));
}

Result<std::unique_ptr<Listener>> SimNetwork::listen_tls(const Endpoint& at, std::string_view, std::string_view) {
  return listen(at);
}

Result<std::unique_ptr<Listener>> SimNetwork::listen_unix(const std::string& path) {
  return listen_at(path, Endpoint());
}

Result<std::unique_ptr<Listener>> SimNetwork::listen_at(std::string name, Endpoint at) {
  if (listeners_.contains(name)) return fail(ErrorCode::conflict, "another process answers on " + name);
  return std::make_unique<internal::SimListener>(*this, std::move(name), std::move(at));
}

}  // namespace caddis::aio
