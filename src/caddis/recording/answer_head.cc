#include "caddis/recording/answer_head.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "caddis/base/strings.h"
#include "caddis/http/fields.h"

namespace caddis::recording {
namespace {

constexpr auto kOfConnection =
    std::to_array<std::string_view>({"connection", "proxy-connection", "proxy-authenticate", "proxy-authorization",
                                     "keep-alive", "trailer", "transfer-encoding", "upgrade", "alt-svc"});

bool is_of_connection(std::string_view name) {
  return std::ranges::any_of(kOfConnection, [&](std::string_view one) { return equals_ignore_case(one, name); });
}

// The body is passed on with the framing that the server has given it. One of no length, as HTTP/2 has them, ends with the
// connection, or goes in chunks if the connection goes on.
void append_framing(std::string& text, const http::Framing& framing, bool keep_alive) {
  if (framing.kind == http::Framing::Kind::length) text += fmt::format("Content-Length: {}\r\n", framing.length);
  const bool is_in_chunks = keep_alive && framing.kind == http::Framing::Kind::until_close;
  if (is_in_chunks || framing.kind == http::Framing::Kind::chunked) text += "Transfer-Encoding: chunked\r\n";
  if (!keep_alive) text += "Connection: close\r\n";
}

}  // namespace

std::string answer_head(const http::ResponseHead& head, const http::Framing& framing, bool keep_alive) {
  std::string text = fmt::format("HTTP/1.1 {} {}\r\n", head.status(), head.reason());
  const bool has_body = framing.kind != http::Framing::Kind::none;
  for (const http::Field field : head) {
    if (is_of_connection(field.name) || !http::is_token(field.name)) continue;
    // Without a body it says what a GET would give.
    if (has_body && equals_ignore_case(field.name, "content-length")) continue;
    text.append(field.name).append(": ").append(field.value).append("\r\n");
  }
  append_framing(text, framing, keep_alive);
  return text += "\r\n";
}

}  // namespace caddis::recording
