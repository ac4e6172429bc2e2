#include "caddis/control/endpoint.h"

#include <fmt/format.h>

#include "caddis/aio/own_endpoints.h"
#include "caddis/base/strings.h"

namespace caddis::control {
namespace {

std::string url_of(const aio::Endpoint& endpoint, std::string_view scheme) {
  const bool is_v6 = endpoint.address.find(':') != std::string::npos;
  return fmt::format("{}://{}{}{}:{}/", scheme, is_v6 ? "[" : "", endpoint.address, is_v6 ? "]" : "", endpoint.port);
}

bool is_for_all(std::string_view address) { return address == "0.0.0.0" || address == "::"; }

// Addresses of a link mean another machine on each (fe80::1%eth0), and browsers take none.
bool is_for_others(std::string_view address) {
  return !is_for_all(address) && !address.starts_with("127.") && address != "::1" && !address.starts_with("fe80:");
}

}  // namespace

Result<aio::Endpoint> parse_endpoint(std::string_view text) {
  const size_t colon = text.rfind(':');
  const auto port = colon == std::string_view::npos ? std::nullopt : parse_int(text.substr(colon + 1));
  if (!port || *port < 0 || *port > 65535)
    return fail(
        ErrorCode::config,
        fmt::format("'{}' is not an address to listen at: write for example 127.0.0.1:8080 or [::1]:8080", text));
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (host.empty() || host == "localhost") host = "127.0.0.1";
  return aio::Endpoint{std::string(host), static_cast<uint16_t>(*port)};
}

std::vector<std::string> openable_urls(const aio::Endpoint& listener, std::string_view scheme) {
  if (!is_for_all(listener.address)) return {url_of(listener, scheme)};
  std::vector<std::string> urls = {url_of({listener.address == "::" ? "::1" : "127.0.0.1", listener.port}, scheme)};
  for (const aio::Endpoint& own : aio::own_endpoints(listener)) {
    if (!is_for_others(own.address)) continue;
    urls.push_back(url_of(own, scheme));
    break;
  }
  return urls;
}

}  // namespace caddis::control
