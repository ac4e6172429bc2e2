#include "simweb/serve/request_head.h"

#include <algorithm>

#include "caddis/base/strings.h"

namespace simweb {
namespace {

constexpr size_t max_fields = 100;

ParsedRequest bad(int status) { return {.state = ParsedRequest::State::bad, .status = status}; }

// The next line without its end; views shrink from the front.
std::string_view take_line(std::string_view& text) {
  const size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

std::string_view without_port(std::string_view authority) {
  if (authority.starts_with('[')) return authority.substr(0, authority.find(']') + 1);
  return authority.substr(0, authority.find(':'));
}

bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return caddis::is_alnum(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

bool take_request_line(std::string_view line, RequestHead& request) {
  const size_t first = line.find(' ');
  const size_t last = line.rfind(' ');
  if (first == std::string_view::npos || last <= first) return false;
  request.method = line.substr(0, first);
  request.target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  request.http_1_0 = version == "HTTP/1.0";
  request.keep_alive = !request.http_1_0;
  if (!is_token(request.method) || (version != "HTTP/1.1" && !request.http_1_0)) return false;
  if (request.target.empty() || request.target.find(' ') != std::string_view::npos) return false;
  const size_t scheme = request.target.find("://");
  if (request.target[0] != '/' && scheme != std::string_view::npos) {
    const std::string_view rest = request.target.substr(scheme + 3);
    request.host = without_port(rest.substr(0, rest.find_first_of("/?#")));
  }
  return true;
}

// 0 where the field is fine, a status where the request is not.
int take_field(std::string_view name, std::string_view value, RequestHead& request) {
  switch (name.size()) {
    case 4:
      // A second Host with another value is smuggling (RFC 9112 section 3.2); an absolute target wins over Host.
      if (!caddis::equals_ignore_case(name, "host")) break;
      if (!request.host.empty() && request.target[0] == '/') return 400;
      if (request.host.empty()) request.host = without_port(value);
      break;
    case 6:
      if (caddis::equals_ignore_case(name, "cookie")) request.cookie = value;
      break;
    case 10:
      if (caddis::equals_ignore_case(name, "user-agent")) request.user_agent = value;
      if (!caddis::equals_ignore_case(name, "connection")) break;
      if (caddis::contains_ignore_case(value, "close")) request.keep_alive = false;
      if (request.http_1_0 && caddis::contains_ignore_case(value, "keep-alive")) request.keep_alive = true;
      break;
    case 13:
      if (caddis::equals_ignore_case(name, "if-none-match")) request.if_none_match = value;
      if (caddis::equals_ignore_case(name, "authorization")) request.authorization = value;
      break;
    case 14:
      if (!caddis::equals_ignore_case(name, "content-length")) break;
      if (const auto size = caddis::parse_int(value); size && *size >= 0) {
        request.body_size = static_cast<uint64_t>(*size);
        return request.body_size > max_request_body ? 413 : 0;
      }
      return 400;
    case 15:
      if (caddis::equals_ignore_case(name, "accept-encoding"))
        request.accepts_gzip = caddis::contains_ignore_case(value, "gzip");
      break;
    case 17:
      if (caddis::equals_ignore_case(name, "if-modified-since")) request.if_modified_since = value;
      if (caddis::equals_ignore_case(name, "transfer-encoding")) return 501;
      break;
    default:
      break;
  }
  return 0;
}

}  // namespace

ParsedRequest parse_request(std::string_view bytes, size_t searched, RequestHead& request) {
  request = RequestHead();
  const size_t end = bytes.find("\r\n\r\n", searched > 3 ? searched - 3 : 0);
  if (end == std::string_view::npos) return bytes.size() > max_request_head ? bad(431) : ParsedRequest();
  if (end + 4 > max_request_head) return bad(431);
  std::string_view head = bytes.substr(0, end + 2);
  if (!take_request_line(take_line(head), request)) return bad(400);
  for (size_t fields = 0; !head.empty(); ++fields) {
    if (fields == max_fields) return bad(431);
    const std::string_view line = take_line(head);
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) return bad(400);
    if (const int status = take_field(line.substr(0, colon), caddis::trim(line.substr(colon + 1)), request))
      return bad(status);
  }
  if (request.host.empty() && !request.http_1_0) return bad(400);
  return {.state = ParsedRequest::State::complete, .head_size = end + 4};
}

std::string_view path_of(std::string_view target) {
  if (target.starts_with('/')) return target;
  const size_t scheme = target.find("://");
  if (scheme == std::string_view::npos) return target;
  const size_t begin = target.find_first_of("/?", scheme + 3);
  return begin == std::string_view::npos ? std::string_view("/") : target.substr(begin);
}

}  // namespace simweb
