#include "serve_proxy.h"

#include <cstdlib>
#include <list>
#include <unordered_map>
#include <utility>

#include "caddis/access/authority.h"
#include "caddis/base/clock.h"
#include "caddis/control/endpoint.h"
#include "caddis/http/proxy_listener.h"
#include "caddis/io/files.h"
#include "caddis/replay/proxy_replay.h"

namespace caddis::cli {
namespace {

constexpr size_t kMostIdentities = 500;  // certificates that are kept; a browser asks for the same hosts again

// Makes certificates, and keeps the latest.
class Identities {
 public:
  explicit Identities(std::unique_ptr<access::CertificateAuthority> authority) : authority_(std::move(authority)) {}

  Result<std::shared_ptr<const aio::TlsIdentity>> of(const std::string& host) {
    if (const auto known = by_host_.find(host); known != by_host_.end()) return known->second;
    TRY(const auto issued, authority_->issue(host));
    TRY(auto identity, aio::TlsIdentity::make(issued.certificate_pem, issued.key_pem));
    if (order_.size() >= kMostIdentities) {
      by_host_.erase(order_.front());
      order_.pop_front();
    }
    order_.push_back(host);
    by_host_.emplace(host, identity);
    return identity;
  }
  const access::CertificateAuthority& authority() const { return *authority_; }

 private:
  std::unique_ptr<access::CertificateAuthority> authority_;
  std::list<std::string> order_;  // the oldest first
  std::unordered_map<std::string, std::shared_ptr<const aio::TlsIdentity>> by_host_;
};

Result<std::string> folder_of(const ProxyOptions& options) {
  if (!options.folder.empty()) return options.folder;
  const char* const home = std::getenv("HOME");
  if (home != nullptr) return io::join_path(home, ".config/caddis");
  return fail(ErrorCode::config, "the proxy's certificate cannot be kept without a home folder: give --proxy-folder");
}

aio::Task<http::ServerResponse> answer(replay::ProxyReplay& replay, aio::Blocking& workers, aio::Loop& loop,
                                       const http::ServerRequest& request) {
  http::ServerResponse response;
  std::function<void()> work = [&] { response = replay.handle(request); };
  co_await workers.run(loop, std::move(work));
  co_return response;
}

}  // namespace

struct ServeProxy::Parts {
  Parts(std::unique_ptr<access::CertificateAuthority> authority, replay::Wayback& wayback)
      : identities(std::move(authority)),
        replay(wayback, {identities.authority().certificate_pem(), identities.authority().certificate_der(),
                         identities.authority().fingerprint()}) {}
  Identities identities;
  replay::ProxyReplay replay;
  http::Handler replays;
  std::unique_ptr<http::Server> server;
};

ServeProxy::ServeProxy(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
ServeProxy::~ServeProxy() = default;
aio::Endpoint ServeProxy::local() const { return parts_->server->local(); }
aio::Task<void> ServeProxy::stop() { co_await parts_->server->stop(); }

Result<std::unique_ptr<ServeProxy>> ServeProxy::start(aio::Loop& loop, aio::Network& network, aio::Blocking& workers,
                                                      replay::Wayback& wayback, ServeDoor& door,
                                                      const ProxyOptions& options, const AccessOptions& access) {
  if (!access.users.empty())
    return fail(ErrorCode::config, "--proxy shows the archive to whoever reaches it: it cannot be used with --users");
  TRY(const aio::Endpoint at, control::parse_endpoint(options.listen));
  TRY_VOID(check_listen(access, options.listen, false));
  TRY(const std::string folder, folder_of(options));
  TRY(auto authority, access::CertificateAuthority::load(io::real_files(), system_clock(), folder));
  auto parts = std::make_unique<Parts>(std::move(authority), wayback);
  TRY(auto listener, network.listen(at));
  Parts* const raw = parts.get();
  listener = http::make_proxy_listener(loop, std::move(listener),
                                       [raw](const std::string& host) { return raw->identities.of(host); });
  http::ServerSettings settings;
  settings.workers = &workers;
  settings.max_body = 256 * 1024;  // as much as keys are made of, and more
  parts->replays = [raw, &workers, &loop](const http::ServerRequest& request) {
    return answer(raw->replay, workers, loop, request);
  };
  const http::Handler handler = [raw, &door](const http::ServerRequest& request) {
    return door.let_through(request, raw->replays);
  };
  parts->server = http::Server::start_on(loop, std::move(listener), handler, settings);
  return std::unique_ptr<ServeProxy>(new ServeProxy(std::move(parts)));
}

}  // namespace caddis::cli
