#include "caddis/control/access.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caddis/base/random.h"
#include "caddis/base/strings.h"
#include "caddis/control/origin.h"
#include "caddis/control/parameters.h"
#include "caddis/control/router.h"
#include "caddis/control/status_page.h"
#include "caddis/http/host_check.h"

namespace caddis::control {
namespace {

// In a time that tells nothing of where they differ.
bool are_same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char difference = 0;
  for (size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

std::string_view bearer_of(std::string_view authorization) {
  constexpr std::string_view kScheme = "Bearer ";
  return starts_with_ignore_case(authorization, kScheme) ? trim(authorization.substr(kScheme.size()))
                                                         : std::string_view();
}

}  // namespace

std::string new_token() {
  return fmt::format("{:016x}{:016x}{:016x}{:016x}", system_seed(), system_seed(), system_seed(), system_seed());
}

bool Access::has_token(const http::ServerRequest& request) const {
  if (are_same(bearer_of(request.header("Authorization")), token_)) return true;
  if (request.path != "/") return false;
  const auto parameters = Parameters::parse(request.query, "token");
  return parameters && are_same(parameters->text("token"), token_);
}

std::optional<http::ServerResponse> Access::refuse(const http::ServerRequest& request) const {
  const std::string_view host = request.header("Host");
  if (!http::is_own_host(host, names_)) return error_response(421, http::other_host_message(host));
  if (const std::string_view origin = request.header("Origin"); !origin.empty() && !is_own_origin(origin, host, names_))
    return error_response(403, "requests of other origins are refused");
  if (has_token(request)) return std::nullopt;
  http::ServerResponse asks =
      request.path == "/"
          ? status_page()
          : error_response(401,
                           "over TCP this needs the token that the crawl printed when it began, and that "
                           "state/control.token in its folder holds: send it as 'Authorization: Bearer TOKEN', "
                           "or open the page that was printed; on the socket state/control.sock, which "
                           "'caddis status' asks, none is needed");
  asks.status = 401;
  asks.headers.emplace_back("WWW-Authenticate", "Bearer realm=\"caddis\"");
  return asks;
}

http::ServerResponse guarded(http::ServerResponse response) {
  constexpr std::pair<std::string_view, std::string_view> kGuards[] = {
      {"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"},
      {"X-Frame-Options", "DENY"},
      {"X-Content-Type-Options", "nosniff"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Referrer-Policy", "no-referrer"},
      {"Cache-Control", "no-store"}};
  for (const auto& [name, value] : kGuards) {
    const bool has_one = std::ranges::any_of(
        response.headers, [name](const auto& header) { return equals_ignore_case(header.first, name); });
    if (!has_one) response.headers.emplace_back(name, value);
  }
  return response;
}

}  // namespace caddis::control
