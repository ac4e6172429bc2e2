#include "caddis/access/origin.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/http/host_check.h"

namespace caddis::access {

bool is_own_origin(std::string_view origin, std::string_view host, std::span<const std::string> names, bool is_tls) {
  if (host.empty() || !http::is_own_host(host, names)) return false;
  if (origin == fmt::format("{}://{}", is_tls ? "https" : "http", host)) return true;
  const bool is_named = std::ranges::any_of(
      names, [&](const std::string& name) { return equals_ignore_case(name, http::host_of(host)); });
  return !is_tls && is_named && origin == fmt::format("https://{}", host);
}

bool is_of_other_page(const http::ServerRequest& request, std::span<const std::string> names) {
  const std::string_view origin = request.header("Origin");
  return !origin.empty() && !is_own_origin(origin, request.header("Host"), names, request.tls);
}

}  // namespace caddis::access
