#include "caddis/control/access.h"

#include "caddis/access/origin.h"
#include "caddis/access/secret.h"
#include "caddis/base/strings.h"
#include "caddis/control/parameters.h"
#include "caddis/control/router.h"
#include "caddis/control/status_page.h"
#include "caddis/http/host_check.h"

namespace caddis::control {
namespace {

std::string_view bearer_of(std::string_view authorization) {
  constexpr std::string_view kScheme = "Bearer ";
  return starts_with_ignore_case(authorization, kScheme) ? trim(authorization.substr(kScheme.size()))
                                                         : std::string_view();
}

}  // namespace

bool Access::has_token(const http::ServerRequest& request) const {
  if (access::are_same(bearer_of(request.header("Authorization")), token_)) return true;
  if (request.path != "/") return false;
  const auto parameters = Parameters::parse(request.query, "token");
  return parameters && access::are_same(parameters->text("token"), token_);
}

std::optional<http::ServerResponse> Access::refuse(const http::ServerRequest& request) const {
  const std::string_view host = request.header("Host");
  if (!http::is_own_host(host, names_)) return error_response(421, http::other_host_message(host));
  if (access::is_of_other_page(request, names_)) return error_response(403, "requests of other origins are refused");
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

}  // namespace caddis::control
