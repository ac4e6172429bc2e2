#include "caddis/http/server_response.h"

#include <algorithm>
#include <array>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/http/fields.h"
#include "caddis/http/reason.h"

namespace caddis::http {
namespace {

bool set_by_the_server(std::string_view name) {
  constexpr auto names = std::to_array<std::string_view>({"content-length", "transfer-encoding", "connection", "date"});
  return std::ranges::any_of(names, [name](std::string_view own) { return equals_ignore_case(own, name); });
}

// Values may come from captured pages: a line end or NUL in one must not begin another field.
void append_line(std::string& out, std::string_view text) {
  for (const char c : text) out += c == '\r' || c == '\n' || c == '\0' ? ' ' : c;
  out += "\r\n";
}

void append_framing(std::string& out, const ResponsePlan& plan, bool http_1_0) {
  if (plan.body == ResponsePlan::Body::chunked) {
    out += "Transfer-Encoding: chunked\r\n";
  } else if (plan.declare_size) {
    out += "Content-Length: " + std::to_string(plan.size) + "\r\n";
  }
  if (!plan.keep_alive) {
    out += "Connection: close\r\n";
  } else if (http_1_0) {
    out += "Connection: keep-alive\r\n";
  }
}

}  // namespace

ResponsePlan plan_response(const ServerResponse& response, bool head_request, bool http_1_0, bool keep_alive) {
  ResponsePlan plan;
  plan.keep_alive = keep_alive;
  plan.size = response.has_plain_body() ? response.body.size() : response.stream_size.value_or(0);
  if (response.status == 204 || response.status == 304 || response.status < 200) {  // never with a body
    plan.body = ResponsePlan::Body::none;
    plan.declare_size = false;
    return plan;
  }
  if (!response.has_plain_body() && !response.stream_size) {
    plan.body = http_1_0 ? ResponsePlan::Body::until_close : ResponsePlan::Body::chunked;
    plan.declare_size = false;
    if (http_1_0 && !head_request) plan.keep_alive = false;
  }
  // What HEAD is told of is what GET would get (RFC 9110 section 9.3.2), but chunks need not be announced.
  if (head_request) plan.body = ResponsePlan::Body::none;
  return plan;
}

std::string response_head(const ServerResponse& response, const ResponsePlan& plan, bool http_1_0, WallTime now) {
  std::string out = "HTTP/1.1 " + std::to_string(response.status) + " ";
  append_line(out, response.reason.empty() ? reason_of(response.status) : std::string_view(response.reason));
  out += "Date: " + http_date(now) + "\r\n";
  for (const auto& [name, value] : response.headers) {
    if (!is_token(name) || set_by_the_server(name)) continue;
    out += name;
    out += ": ";
    append_line(out, value);
  }
  append_framing(out, plan, http_1_0);
  out += "\r\n";
  return out;
}

Result<std::string> whole_body(ServerResponse& response) {
  if (!response.source) return std::move(response.body);
  const auto source = std::move(response.source);
  std::string whole, piece;
  for (bool more = true; more; whole += piece) {
    piece.clear();
    TRY(more, source->next(piece));
  }
  return whole;
}

ServerResponse text_response(int status, std::string_view text) {
  ServerResponse response(status);
  response.headers.emplace_back("Content-Type", "text/plain; charset=utf-8");
  response.body = std::string(text) + "\n";
  return response;
}

ServerResponse json_response(int status, std::string json) {
  ServerResponse response(status);
  response.headers.emplace_back("Content-Type", "application/json");
  response.body = std::move(json);
  return response;
}

}  // namespace caddis::http
