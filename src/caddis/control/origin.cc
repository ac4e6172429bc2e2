#include "caddis/control/origin.h"

#include <fmt/format.h>

#include "caddis/http/host_check.h"

namespace caddis::control {

bool is_own_origin(std::string_view origin, std::string_view host, std::span<const std::string> names) {
  return !host.empty() && origin == fmt::format("http://{}", host) && http::is_own_host(host, names);
}

}  // namespace caddis::control
