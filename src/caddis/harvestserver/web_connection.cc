#include "caddis/harvestserver/web_connection.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/dns/resolver.h"
#include "caddis/url/url.h"

namespace caddis::harvestserver {
namespace {

bool is_known(const aio::Stream& stream, const std::string& fingerprint) {
  if (fingerprint.empty()) return true;
  const aio::TlsInfo* const info = stream.tls();
  if (info == nullptr || info->chain == nullptr || info->chain->empty()) return false;
  std::string wanted = to_lower(fingerprint);
  std::erase(wanted, ':');
  return to_lower(info->chain->front().sha256) == wanted;
}

}  // namespace

std::string WebPlace::authority() const {
  if (host.empty()) return "caddis";
  const std::string shown = host.contains(':') ? fmt::format("[{}]", host) : host;
  return port == (is_tls ? 443 : 80) ? shown : fmt::format("{}:{}", shown, port);
}

Result<WebPlace> place_of(const std::string& address) {
  WebPlace place;
  if (!address.contains("://")) {
    place.socket = address;
    return place;
  }
  TRY(const url::Url url, url::Url::parse(address));
  if (!url.is_http() || url.hostname().empty())
    return fail(ErrorCode::config,
                fmt::format("'{}' is no address of a server such as https://harvest.example:8444", address));
  place.host = std::string(url.hostname());
  if (place.host.starts_with('[')) place.host = place.host.substr(1, place.host.size() - 2);
  place.port = url.effective_port();
  place.is_tls = url.scheme() == "https";
  place.path = std::string(url.pathname());
  while (place.path.ends_with('/')) place.path.pop_back();
  return place;
}

aio::Task<Result<std::unique_ptr<aio::Stream>>> connect_to(aio::Loop& loop, aio::Network& network,
                                                           const WebPlace& place, SteadyTime deadline) {
  if (!place.socket.empty()) co_return co_await network.connect_unix(place.socket, deadline);
  const dns::Settings settings;
  CO_TRY(const auto resolver, dns::make_resolver(loop, settings));
  auto found = co_await resolver->resolve(place.host);
  co_await resolver->end();
  if (!found) co_return std::unexpected(std::move(found).error());
  aio::TlsOptions tls;
  tls.server_name = place.host;
  tls.trust = place.fingerprint.empty() ? aio::TlsTrust::normal : aio::TlsTrust::open;
  const aio::Endpoint at{found->addresses.front().text, place.port};
  CO_TRY(auto stream, co_await network.connect(at, place.is_tls ? &tls : nullptr, deadline));
  if (!is_known(*stream, place.fingerprint))
    co_return fail(ErrorCode::denied,
                   fmt::format("{} shows another certificate than the one that is expected", place.host));
  co_return stream;
}

}  // namespace caddis::harvestserver
