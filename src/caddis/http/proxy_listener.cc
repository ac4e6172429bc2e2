#include "caddis/http/proxy_listener.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/http/head.h"

namespace caddis::http {
namespace {

constexpr size_t kLongestHead = 16 * 1024;
constexpr std::string_view kConnect = "CONNECT ";
constexpr char kTlsHandshake = 0x16;  // the first byte of TLS (RFC 8446, section 5.1)

// A stream some of whose bytes have been read already.
class BegunStream final : public aio::Stream {
 public:
  BegunStream(std::unique_ptr<aio::Stream> stream, std::string begun)
      : stream_(std::move(stream)), begun_(std::move(begun)) {}

  aio::Task<Result<size_t>> read(char* buffer, size_t size) override {
    if (begun_.empty()) co_return co_await stream_->read(buffer, size);
    const size_t count = begun_.copy(buffer, size);
    begun_.erase(0, count);
    co_return count;
  }
  aio::Task<Result<void>> wait_readable() override {
    if (begun_.empty()) co_return co_await stream_->wait_readable();
    co_return Result<void>();
  }
  aio::Task<Result<void>> write(std::string_view bytes) override { return stream_->write(bytes); }
  void set_deadline(SteadyTime when) override { stream_->set_deadline(when); }
  void close() override { stream_->close(); }
  aio::Endpoint remote() const override { return stream_->remote(); }
  aio::Endpoint local() const override { return stream_->local(); }
  const aio::TlsInfo* tls() const override { return stream_->tls(); }
  bool is_quiet() override { return begun_.empty() && stream_->is_quiet(); }
  bool peer_left() override { return stream_->peer_left(); }

 private:
  std::unique_ptr<aio::Stream> stream_;
  std::string begun_;
};

// Looks at the first request; if it asks for a tunnel, what is behind is inside of it. Done by the first operation, under
// the deadlines that a server sets for a head.
class ProxyStream final : public aio::Stream {
 public:
  ProxyStream(aio::Loop& loop, std::unique_ptr<aio::Stream> stream, const IdentityOf& identity_of,
              const AdmitsTunnel& admits)
      : loop_(loop), identity_of_(identity_of), admits_(admits), stream_(std::move(stream)) {}

  const std::string& tunnel() const { return tunnel_; }

  aio::Task<Result<size_t>> read(char* buffer, size_t size) override {
    CO_TRY_VOID(co_await open());
    co_return co_await stream_->read(buffer, size);
  }
  aio::Task<Result<void>> wait_readable() override { return stream_->wait_readable(); }
  aio::Task<Result<void>> write(std::string_view bytes) override { return stream_->write(bytes); }
  void set_deadline(SteadyTime when) override { stream_->set_deadline(when); }
  void close() override { stream_->close(); }
  aio::Endpoint remote() const override { return stream_->remote(); }
  aio::Endpoint local() const override { return stream_->local(); }
  const aio::TlsInfo* tls() const override { return stream_->tls(); }
  bool is_quiet() override { return is_open_ && stream_->is_quiet(); }
  bool peer_left() override { return stream_->peer_left(); }

 private:
  aio::Task<Result<void>> open() {
    if (is_open_) co_return Result<void>();
    std::string head;
    while (head.size() < kConnect.size() && kConnect.starts_with(head)) CO_TRY_VOID(co_await read_into(head));
    if (!head.starts_with(kConnect)) {
      give_back(std::move(head));
      co_return Result<void>();
    }
    while (head.find("\r\n\r\n") == std::string::npos) {
      if (head.size() > kLongestHead) co_return co_await refuse("431 Request Header Fields Too Large");
      CO_TRY_VOID(co_await read_into(head));
    }
    const size_t end = head.find("\r\n\r\n") + 4;
    std::string behind = head.substr(end);
    const std::string host = host_of_tunnel(head);
    if (host.empty()) co_return co_await refuse("400 Bad Request");
    if (admits_) {
      std::string credentials = credentials_of(head.substr(0, end));
      const bool is_admitted = co_await admits_(std::move(credentials), stream_->remote());
      if (!is_admitted)
        co_return co_await refuse("407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"Caddis\"");
    }
    tunnel_ = authority_of_tunnel(head);
    CO_TRY_VOID(co_await stream_->write("HTTP/1.1 200 Connection established\r\n\r\n"));
    while (behind.empty()) CO_TRY_VOID(co_await read_into(behind));
    const bool is_tls = behind.front() == kTlsHandshake;
    give_back(std::move(behind));
    if (is_tls) {
      CO_TRY(auto identity, identity_of_(host));
      stream_ = aio::TlsIdentity::serve(loop_, std::move(stream_), std::move(identity));
    }
    co_return Result<void>();
  }

  void give_back(std::string bytes) {
    stream_ = std::make_unique<BegunStream>(std::move(stream_), std::move(bytes));
    is_open_ = true;
  }

  aio::Task<Result<void>> read_into(std::string& text) {
    char buffer[4096];
    CO_TRY(const size_t count, co_await stream_->read(buffer, sizeof(buffer)));
    if (count == 0) co_return fail(ErrorCode::closed, "the client has gone");
    text.append(buffer, count);
    co_return Result<void>();
  }

  aio::Task<Result<void>> refuse(std::string_view status) {
    const std::string answer = "HTTP/1.1 " + std::string(status) + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    CO_TRY_VOID(co_await stream_->write(answer));
    co_return fail(ErrorCode::closed, "a tunnel was refused");
  }

  static std::string authority_of_tunnel(std::string_view head) {
    const std::string_view target = head.substr(kConnect.size());
    return to_lower(target.substr(0, target.find_first_of(" \r")));
  }

  static std::string credentials_of(std::string_view head) {
    const auto parsed = parse_request_head(head, Mode::strict);
    return parsed ? std::string(parsed->find("proxy-authorization").value_or("")) : std::string();
  }

  // "CONNECT host:port HTTP/1.1": the host, without brackets; empty if there is none.
  static std::string host_of_tunnel(std::string_view head) {
    const std::string authority = authority_of_tunnel(head);
    std::string_view target = authority;
    const size_t colon = target.rfind(':');
    if (colon == std::string_view::npos || !parse_int(target.substr(colon + 1))) return {};
    target = target.substr(0, colon);
    if (target.starts_with('[') && target.ends_with(']')) target = target.substr(1, target.size() - 2);
    return std::string(target);
  }

  aio::Loop& loop_;
  const IdentityOf& identity_of_;
  const AdmitsTunnel& admits_;
  std::unique_ptr<aio::Stream> stream_;
  std::string tunnel_;
  bool is_open_ = false;
};

class ProxyListener final : public aio::Listener {
 public:
  ProxyListener(aio::Loop& loop, std::unique_ptr<aio::Listener> listener, IdentityOf identity_of, AdmitsTunnel admits)
      : loop_(loop), identity_of_(std::move(identity_of)), admits_(std::move(admits)), listener_(std::move(listener)) {}

  aio::Task<Result<std::unique_ptr<aio::Stream>>> accept() override {
    CO_TRY(std::unique_ptr<aio::Stream> stream, co_await listener_->accept());
    co_return std::make_unique<ProxyStream>(loop_, std::move(stream), identity_of_, admits_);
  }
  aio::Endpoint local() const override { return listener_->local(); }
  void close() override { listener_->close(); }

 private:
  aio::Loop& loop_;
  const IdentityOf identity_of_;
  const AdmitsTunnel admits_;
  std::unique_ptr<aio::Listener> listener_;
};

}  // namespace

std::unique_ptr<aio::Listener> make_proxy_listener(aio::Loop& loop, std::unique_ptr<aio::Listener> listener,
                                                   IdentityOf identity_of, AdmitsTunnel admits) {
  return std::make_unique<ProxyListener>(loop, std::move(listener), std::move(identity_of), std::move(admits));
}

std::string tunnel_of(const aio::Stream& stream) {
  const auto* const proxied = dynamic_cast<const ProxyStream*>(&stream);
  return proxied == nullptr ? std::string() : proxied->tunnel();
}

}  // namespace caddis::http
