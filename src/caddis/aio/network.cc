#include "caddis/aio/network.h"

#include <netinet/in.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <unordered_map>
#include <utility>

#include "caddis/aio/asio_loop.h"
#include "caddis/aio/socket_address.h"
#include "caddis/aio/socket_listener.h"
#include "caddis/aio/socket_stream.h"
#include "caddis/aio/tls_context.h"
#include "caddis/aio/tls_stream.h"

namespace caddis::aio {
namespace {

// Servers are set up anew now and then.
constexpr Duration kNamelessFor = std::chrono::hours(1);

// Registers a stream while it is being connected.
class Connecting {
 public:
  Connecting(std::unordered_map<Stream*, uint64_t>& all, Stream* stream, uint64_t ticket) : all_(all), stream_(stream) {
    all_.emplace(stream_, ticket);
  }
  Connecting(const Connecting&) = delete;
  Connecting& operator=(const Connecting&) = delete;
  ~Connecting() { all_.erase(stream_); }

 private:
  std::unordered_map<Stream*, uint64_t>& all_;
  Stream* stream_;
};

// Removes a socket file nobody answers on.
Result<void> make_room(const SocketAddress& address, const std::string& path) {
  struct stat there = {};
  if (::lstat(path.c_str(), &there) != 0) return {};
  if (!S_ISSOCK(there.st_mode)) return fail(ErrorCode::conflict, path + " is there already, and is no socket");
  TRY(const int probe, open_socket(AF_UNIX));
  const bool refused = ::connect(probe, address.get(), address.length) != 0 && errno == ECONNREFUSED;
  ::close(probe);
  if (!refused) return fail(ErrorCode::conflict, "another process answers on " + path);
  if (::unlink(path.c_str()) != 0) return fail_errno("cannot remove the dead socket " + path, errno);
  return {};
}

// The address to connect from; the port is chosen when it connects, so that many may share one.
Result<void> bind_to(int socket, const SocketAddress& from) {
  const int on = 1;
  setsockopt(socket, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof(on));
  if (::bind(socket, from.get(), from.length) == 0) return {};
  const int error = errno;
  ::close(socket);
  return fail_errno("cannot connect from the address that is set (fetch.bind-address)", error);
}

class SocketNetwork final : public Network {
 public:
  explicit SocketNetwork(AsioLoop& loop) : loop_(loop), sessions_(std::make_shared<TlsSessions>(4096)) {}

  Task<Result<std::unique_ptr<Stream>>> connect(Endpoint to, const TlsOptions* tls, SteadyTime deadline,
                                                uint64_t ticket = 0, std::string from = {}) override {
    const TlsOptions options = tls ? *tls : TlsOptions();
    const bool is_secure = tls != nullptr;
    CO_TRY(const SocketAddress address, socket_address(to));
    SocketAddress local{};
    if (!from.empty()) {
      const Endpoint any_port(from, 0);
      CO_TRY(local, socket_address(any_port));
      if (local.storage.ss_family != address.storage.ss_family)
        co_return fail(ErrorCode::io, "connection to " + to_string(to) + ": " + from + " is of the other family");
    }
    const SocketAddress* const bound = from.empty() ? nullptr : &local;
    for (;;) {
      CO_TRY(std::unique_ptr<Stream> stream, co_await connect_to(address, to, deadline, ticket, bound));
      if (!is_secure) co_return stream;
      const bool is_named = !is_nameless(to, options.server_name);
      auto secure = TlsStream::client(loop_, std::move(stream), options, sessions_, is_named);
      const Connecting connecting(connecting_, secure.get(), ticket);
      const auto shaken = co_await secure->handshake();
      if (shaken) co_return std::unique_ptr<Stream>(std::move(secure));
      if (!secure->refused_name() || !is_named) co_return std::unexpected(shaken.error());
      remember_nameless(to, options.server_name);
    }
  }

  void abort_connects() override {
    for (const auto& [stream, ticket] : connecting_) stream->close();
  }

  void end_connect(uint64_t ticket) override {
    for (const auto& [stream, its_ticket] : connecting_)
      if (ticket != 0 && its_ticket == ticket) return stream->close();
  }

  Task<Result<std::unique_ptr<Stream>>> start_tls(std::unique_ptr<Stream> over, TlsOptions options,
                                                  SteadyTime deadline) override {
    over->set_deadline(deadline);
    const Endpoint to = over->remote();
    const bool is_named = !is_nameless(to, options.server_name);
    auto secure = TlsStream::client(loop_, std::move(over), options, sessions_, is_named);
    const Connecting connecting(connecting_, secure.get(), 0);
    const auto shaken = co_await secure->handshake();
    // Another tunnel has to be made first: whoever tries again finds it remembered.
    if (secure->refused_name() && is_named) remember_nameless(to, options.server_name);
    if (!shaken) co_return std::unexpected(shaken.error());
    co_return std::unique_ptr<Stream>(std::move(secure));
  }

  Task<Result<std::unique_ptr<Stream>>> connect_unix(std::string path, SteadyTime deadline) override {
    CO_TRY(const SocketAddress address, unix_address(path));
    auto stream = co_await connect_to(address, Endpoint(), deadline, 0, nullptr);
    if (!stream) co_return pass(std::move(stream).error(), path);
    co_return stream;
  }

  Result<std::unique_ptr<Listener>> listen(const Endpoint& at) override { return listen_with(at, nullptr); }

  Result<std::unique_ptr<Listener>> listen_tls(const Endpoint& at, std::string_view certificate_pem,
                                               std::string_view key_pem) override {
    TRY(SslContextPtr context, make_tls_server_context(certificate_pem, key_pem));
    return listen_with(at, std::move(context));
  }

  Result<std::unique_ptr<Listener>> listen_unix(const std::string& path) override {
    TRY(const SocketAddress address, unix_address(path));
    TRY_VOID(make_room(address, path));
    TRY(const int socket, bind_and_listen(address, path));
    ::chmod(path.c_str(), S_IRUSR | S_IWUSR);  // whoever may connect may command
    return std::make_unique<SocketListener>(loop_, socket, path, nullptr);
  }

 private:
  Result<std::unique_ptr<Listener>> listen_with(const Endpoint& at, SslContextPtr tls) {
    TRY(const SocketAddress address, socket_address(at));
    TRY(const int socket, bind_and_listen(address, to_string(at)));
    return std::make_unique<SocketListener>(loop_, socket, std::string(), std::move(tls));
  }

  Task<Result<std::unique_ptr<Stream>>> connect_to(const SocketAddress& address, Endpoint to, SteadyTime deadline,
                                                   uint64_t ticket, const SocketAddress* from) {
    CO_TRY(const int socket, open_socket(address.storage.ss_family));
    if (address.storage.ss_family != AF_UNIX) send_at_once(socket);
    if (from != nullptr) CO_TRY_VOID(bind_to(socket, *from));
    const int error = ::connect(socket, address.get(), address.length) == 0 ? 0 : errno;
    auto stream = std::make_unique<SocketStream>(loop_, socket, std::move(to));
    stream->set_deadline(deadline);
    if (error == EINPROGRESS) {
      const Connecting connecting(connecting_, stream.get(), ticket);
      CO_TRY_VOID(co_await stream->connected());
    } else if (error != 0) {
      co_return fail_errno("connection to " + to_string(stream->remote()), error);
    }
    co_return std::unique_ptr<Stream>(std::move(stream));
  }

  static std::string peer_name(const Endpoint& to, const std::string& name) { return to_string(to) + " " + name; }

  bool is_nameless(const Endpoint& to, const std::string& name) {
    const auto found = nameless_until_.find(peer_name(to, name));
    return found != nameless_until_.end() && loop_.clock().steady() < found->second;
  }

  void remember_nameless(const Endpoint& to, const std::string& name) {
    constexpr size_t kMost = 4096;
    if (nameless_until_.size() >= kMost) nameless_until_.clear();
    nameless_until_[peer_name(to, name)] = loop_.clock().steady() + kNamelessFor;
  }

  AsioLoop& loop_;
  std::shared_ptr<TlsSessions> sessions_;                       // streams may outlive the network
  std::unordered_map<Stream*, uint64_t> connecting_;            // with their tickets
  std::unordered_map<std::string, SteadyTime> nameless_until_;  // servers that do not want to hear their names
};

}  // namespace

std::unique_ptr<Network> make_network(Loop& loop) { return std::make_unique<SocketNetwork>(AsioLoop::of(loop)); }

}  // namespace caddis::aio
