#include "caddis/fetch/proxies.h"

#include <fmt/format.h>
#include <netdb.h>

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "caddis/base/random.h"
#include "caddis/fetch/settings.h"
#include "caddis/http/head.h"
#include "caddis/logins/protection_space.h"

namespace caddis::fetch {
namespace {

// Basic ahead, as long as the proxy asks for nothing else.
class ProxyCredentials final : public http::ProxyLogin {
 public:
  ProxyCredentials(std::string basic, std::string user, std::string password, uint64_t seed)
      : basic_(std::move(basic)), accounts_({{{}, std::move(user), std::move(password)}}), random_(seed) {}

  std::string credentials(std::string_view method, std::string_view target) override {
    const std::lock_guard lock(mutex_);
    if (!space_.is_known()) return basic_;
    std::string cnonce = fmt::format("{:016x}{:016x}", random_.next(), random_.next());
    return space_.credentials(accounts_, method, target, std::move(cnonce));
  }

  bool asks_again(const http::ResponseHead& head, std::string_view sent) override {
    constexpr int kProxyAuthenticationRequired = 407;
    const std::lock_guard lock(mutex_);
    if (head.status() != kProxyAuthenticationRequired) {
      space_.answered(head, "proxy-authentication-info");
      return false;
    }
    return space_.challenged(head, "proxy-authenticate", accounts_, sent) == logins::ProtectionSpace::Answer::again;
  }

 private:
  const std::string basic_;
  const logins::Accounts accounts_;
  std::mutex mutex_;
  SeededRandom random_;
  logins::ProtectionSpace space_;
};

}  // namespace

Result<std::string> find_server(const std::string& host) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int error = ::getaddrinfo(host.c_str(), nullptr, &wanted, &found); error != 0)
    return fail(ErrorCode::config, ::gai_strerror(error));
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owned(found, ::freeaddrinfo);
  std::array<char, NI_MAXHOST> text{};
  ::getnameinfo(found->ai_addr, found->ai_addrlen, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST);
  return std::string(text.data());
}

Result<void> Proxies::learn(const std::vector<std::string>& settings) {
  for (const std::string& setting : settings) {
    if (setting.empty() || find(setting) != nullptr) continue;
    TRY(const auto host, proxy_host(setting));
    std::string address = host->host;
    if (find_) {
      auto found = find_(host->host);
      const std::lock_guard lock(mutex_);
      missing_.erase(setting);
      if (!found) {
        const std::string why = fmt::format("the proxy {} cannot be found: {}", host->host, found.error().message);
        return fail(ErrorCode::config, missing_[setting] = why);
      }
      address = *std::move(found);
    }
    const std::lock_guard lock(mutex_);
    http::Proxy proxy = host->proxy;
    proxy.address = {std::move(address), host->port};
    if (!proxy.authorization.empty())
      proxy.login = std::make_shared<ProxyCredentials>(proxy.authorization, host->user, host->password, seed_);
    known_.try_emplace(setting, std::move(proxy));
  }
  return {};
}

Result<void> Proxies::ensure(const std::vector<std::string>& settings) {
  {
    const std::lock_guard lock(mutex_);
    for (const std::string& setting : settings)
      if (const auto missing = missing_.find(setting); missing != missing_.end())
        return fail(ErrorCode::config, missing->second);
  }
  return learn(settings);
}

const http::Proxy* Proxies::find(const std::string& setting) const {
  if (setting.empty()) return nullptr;
  const std::lock_guard lock(mutex_);
  const auto found = known_.find(setting);
  return found == known_.end() ? nullptr : &found->second;
}

}  // namespace caddis::fetch
