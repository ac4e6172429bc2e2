#include "caddis/fetch/proxies.h"

#include <fmt/format.h>
#include <netdb.h>

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "caddis/fetch/settings.h"

namespace caddis::fetch {

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
