#include "caddis/replay/negotiation.h"

#include <utility>

#include "caddis/base/strings.h"
#include "caddis/replay/headers.h"
#include "caddis/replay/memento.h"

namespace caddis::replay {
namespace {

constexpr std::string_view kLatest = "99991231235959";
constexpr std::string_view kReadable =
    "Memento-Datetime, Link, Location, Content-Location, Vary, Preference-Applied, Content-Length, Content-Range";

}  // namespace

Result<std::string> asked_datetime(const http::ServerRequest& request) {
  const std::string_view accept = request.header("accept-datetime");
  return accept.empty() ? std::string(kLatest) : parse_accept_datetime(accept);
}

std::optional<Preference> preference_of(const http::ServerRequest& request) {
  for (std::string_view item : split(request.header("prefer"), ',')) {
    const std::string_view name = trim(item.substr(0, item.find(';')));
    if (equals_ignore_case(name, "raw") || equals_ignore_case(name, "original-content"))
      return Preference{Modifier::identity, to_lower(name)};
    if (equals_ignore_case(name, "rewritten")) return Preference{Modifier::main, to_lower(name)};
  }
  return std::nullopt;
}

void add_vary(http::ServerHeaders& headers, std::string_view names) {
  const std::string_view before = find_header(headers, "vary");
  if (contains_ignore_case(before, names)) return;
  set_header(headers, "Vary", before.empty() ? std::string(names) : std::string(before) + ", " + std::string(names));
}

void let_others_read(http::ServerHeaders& headers) {
  set_header(headers, "Access-Control-Allow-Origin", "*");
  set_header(headers, "Access-Control-Expose-Headers", std::string(kReadable));
}

http::ServerResponse preflight_answer() {
  http::ServerResponse response(204);
  response.headers = {{"Access-Control-Allow-Origin", "*"},
                      {"Access-Control-Allow-Methods", "GET, HEAD"},
                      {"Access-Control-Allow-Headers", "Accept-Datetime, Prefer, Range"},
                      {"Access-Control-Max-Age", "86400"}};
  return response;
}

}  // namespace caddis::replay
