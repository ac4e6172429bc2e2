#include "caddis/recording/outgoing_request.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/fetch/settings.h"
#include "caddis/http/fields.h"

namespace caddis::recording {
namespace {

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::any_of(names, [&](std::string_view one) { return equals_ignore_case(one, name); });
}

// Between the client and the proxy alone; host and length are set anew.
constexpr auto kOfConnection = std::to_array<std::string_view>(
    {"host", "connection", "proxy-connection", "proxy-authorization", "proxy-authenticate", "keep-alive", "te",
     "trailer", "transfer-encoding", "upgrade", "content-length", "expect", "http2-settings"});
constexpr auto kConditions = std::to_array<std::string_view>({"if-none-match", "if-modified-since"});

// Names that the field Connection has: they are for this connection, too.
std::vector<std::string_view> named_by_connection(const http::ServerRequest& asked) {
  std::vector<std::string_view> names;
  for (const auto& [name, value] : asked.headers)
    if (equals_ignore_case(name, "connection"))
      for (const std::string_view item : http::split_list(value)) names.push_back(item);
  return names;
}

std::string_view path_and_query(const url::Url& url) {
  const std::string_view all = url.without_fragment();
  return all.substr(static_cast<size_t>(url.pathname().data() - all.data()));
}

}  // namespace

bool asks_for_websocket(const http::ServerRequest& asked) {
  const auto names = named_by_connection(asked);
  return equals_ignore_case(asked.header("upgrade"), "websocket") && is_one_of("upgrade", names);
}

OutgoingRequest outgoing_request(const http::ServerRequest& asked, const url::Url& url, const OutgoingForm& form) {
  OutgoingRequest request;
  http::Request& message = request.message;
  message.method = asked.method;
  message.target = path_and_query(url);
  if (form.is_http_1_0) message.version = {1, 0};
  request.is_websocket = asks_for_websocket(asked);
  const auto own = named_by_connection(asked);
  const bool is_read = asked.method == "GET" || asked.method == "HEAD";
  // The URL says it, and a proxy does not pass on what the client has said (RFC 9112 section 3.2.2).
  message.add("Host", url.host());
  for (const auto& [name, value] : asked.headers) {
    if (is_one_of(name, kOfConnection) || is_one_of(name, own)) continue;
    if (is_read && is_one_of(name, kConditions)) continue;
    if (form.records_credentials || !fetch::is_credential(name))
      message.add(name, value);
    else
      message.add_secret(name, value);
  }
  if (request.is_websocket) {
    message.add("Connection", "Upgrade");
    message.add("Upgrade", "websocket");
  }
  if (form.body_size) message.add("Content-Length", std::to_string(*form.body_size));
  request.head = message.bytes();
  request.recorded = message.recorded_bytes();
  request.withheld = message.secret_names();
  return request;
}

}  // namespace caddis::recording
