#include "simweb/serve/server.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <vector>

#include "simweb/serve/connection.h"
#include "simweb/serve/dns_server.h"
#include "simweb/serve/loop.h"
#include "simweb/serve/site.h"
#include "simweb/serve/sockets.h"
#include "simweb/serve/tls.h"

namespace simweb {

using namespace std::chrono_literals;

namespace {

// Accepts connections of one port and hands on their descriptors.
class Listener : public Handler {
 public:
  using Accept = std::function<void(int fd, uint32_t address)>;
  Listener(Loop& loop, BoundSocket socket, Accept accept)
      : loop_(loop), socket_(std::move(socket)), accept_(std::move(accept)) {}
  caddis::Result<void> start() { return loop_.watch(socket_.fd(), *this); }

  void ready(uint32_t) override { accept_all(); }

 private:
  void accept_all() {
    for (;;) {
      sockaddr_in peer{};
      socklen_t size = sizeof(peer);
      const int fd = accept4(socket_.fd(), reinterpret_cast<sockaddr*>(&peer), &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (fd < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
      if (fd < 0) {
        // Out of descriptors: those who wait are not announced again, so they are looked for.
        if (errno == EMFILE || errno == ENFILE) loop_.call_at(loop_.now() + 10ms, [this] { accept_all(); });
        return;
      }
      const uint32_t address = local_address(fd);
      if (!is_loopback(ntohl(peer.sin_addr.s_addr)) || World::is_dead_address(address)) {
        close(fd);
        continue;
      }
      accept_(fd, address);
    }
  }

  Loop& loop_;
  const BoundSocket socket_;
  const Accept accept_;
};

class WebServer : public Server {
 public:
  WebServer(const WebSettings& settings, const ServeOptions& options, const caddis::Clock& clock,
            std::unique_ptr<Loop> loop)
      : loop_(std::move(loop)),
        world_(settings),
        recorder_(world_, clock.steady(), options.judge),
        site_(world_, recorder_, *loop_, clock) {
    site_.idle_timeout = options.idle_timeout;
  }

  caddis::Result<void> start(BoundSocket http, BoundSocket https, uint16_t dns_port) {
    ports_ = {.http = http.port(), .https = https.port()};
    TRY(tls_, Tls::create([this](std::string_view name) { return tls_of(name); }));
    TRY(dns_, DnsServer::create(site_, dns_port));
    ports_.dns = dns_->port();
    listeners_[0] = std::make_unique<Listener>(
        *loop_, std::move(http), [this](int fd, uint32_t address) { add(make_plain_transport(fd), address, false); });
    listeners_[1] = std::make_unique<Listener>(
        *loop_, std::move(https), [this](int fd, uint32_t address) { add(tls_->accept(fd), address, true); });
    for (const auto& listener : listeners_) TRY_VOID(listener->start());
    return {};
  }

  Ports ports() const override { return ports_; }
  std::string authority_pem() const override { return tls_->authority_pem(); }
  const World& world() const override { return world_; }
  const Recorder& recorder() const override { return recorder_; }
  void run() override { loop_->run(); }
  void stop() override { loop_->stop(); }

 private:
  std::optional<TlsChoice> tls_of(std::string_view name) const {
    if (name == "localhost") return TlsChoice{};
    const auto named = world_.host_of(name);
    if (!named) return std::nullopt;
    const HostFacts host = world_.host(named->id);
    return TlsChoice{.rsa = host.rsa, .tickets = host.tls_tickets, .http2 = speaks_http2(world_.settings(), host.id)};
  }

  void add(std::unique_ptr<Transport> transport, uint32_t address, bool tls) {
    const int fd = transport->fd();
    const int yes = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
    auto made = std::make_unique<Connection>(site_, std::move(transport), address, tls,
                                             [this](Connection& connection) { remove(connection); });
    Connection& connection = *made;
    connection.place = connections_.size();
    connections_.push_back(std::move(made));
    // What came before that is told as a first event.
    if (!loop_->watch(fd, connection)) connection.ready(EPOLLHUP);
  }

  void remove(Connection& connection) {
    std::unique_ptr<Connection> gone = std::move(connections_[connection.place]);
    if (connection.place + 1 != connections_.size()) {
      connections_[connection.place] = std::move(connections_.back());
      connections_[connection.place]->place = connection.place;
    }
    connections_.pop_back();
    loop_->drop(std::move(gone));
  }

  // In this order: what is below uses what is above until it is destroyed.
  std::unique_ptr<Loop> loop_;
  World world_;
  Recorder recorder_;
  Site site_;
  std::unique_ptr<Tls> tls_;
  std::unique_ptr<DnsServer> dns_;
  std::unique_ptr<Listener> listeners_[2];
  std::vector<std::unique_ptr<Connection>> connections_;
  Ports ports_;
};

}  // namespace

caddis::Result<std::unique_ptr<Server>> Server::create(WebSettings settings, const ServeOptions& options,
                                                       const caddis::Clock& clock) {
  TRY(BoundSocket http, bind_streams(static_cast<uint16_t>(settings.http_port)));
  TRY(BoundSocket https, bind_streams(static_cast<uint16_t>(settings.https_port)));
  settings.http_port = http.port();
  settings.https_port = https.port();
  TRY_VOID(validate(settings));
  TRY(auto loop, Loop::create(clock));
  auto server = std::make_unique<WebServer>(settings, options, clock, std::move(loop));
  TRY_VOID(server->start(std::move(http), std::move(https), options.dns_port));
  return server;
}

}  // namespace simweb
