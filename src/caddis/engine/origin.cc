#include "caddis/engine/origin.h"

#include <fmt/format.h>

#include "caddis/url/ip.h"

namespace caddis::engine {

bool is_own_origin(std::string_view origin, std::string_view host) {
  if (origin != fmt::format("http://{}", host)) return false;
  const size_t colon = host.rfind(':');
  if (colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos) host = host.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) return url::parse_ipv6(host.substr(1, host.size() - 2)).has_value();
  return host == "localhost" || url::parse_ipv4(host).has_value();
}

}  // namespace caddis::engine
