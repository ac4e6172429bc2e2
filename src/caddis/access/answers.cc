#include "caddis/access/answers.h"

#include <algorithm>

#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"

namespace caddis::access {

http::ServerResponse error_answer(int status, std::string_view message) {
  return http::json_response(status, JsonObject().add("error", message).finish());
}

http::ServerResponse error_answer(const Error& error) {
  switch (error.code) {
    case ErrorCode::config:
    case ErrorCode::parse:
      return error_answer(400, error.message);
    case ErrorCode::not_found:
      return error_answer(404, error.message);
    case ErrorCode::conflict:
    case ErrorCode::limit:
      return error_answer(409, error.message);
    default:
      return error_answer(500, error.message);
  }
}

http::ServerResponse redirect(std::string_view path) {
  http::ServerResponse response(303);
  response.headers.emplace_back("Location", std::string(path));
  return response;
}

http::ServerResponse guarded(http::ServerResponse response) {
  const auto add = [&](std::string_view name, std::string_view value) {
    const bool is_there = std::ranges::any_of(
        response.headers, [&](const auto& header) { return equals_ignore_case(header.first, name); });
    if (!is_there) response.headers.emplace_back(name, value);
  };
  add("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  add("X-Frame-Options", "DENY");
  add("X-Content-Type-Options", "nosniff");
  add("Cross-Origin-Resource-Policy", "same-origin");
  add("Referrer-Policy", "same-origin");  // without any, a form of ours would say "Origin: null"
  add("Cache-Control", "no-store");
  return response;
}

bool is_change(std::string_view method) { return method != "GET" && method != "HEAD" && method != "OPTIONS"; }

bool is_loopback(std::string_view address) {
  return address.empty() || address.starts_with("127.") || address == "::1" || address.starts_with("::ffff:127.");
}

bool wants_page(const http::ServerRequest& request) {
  return !is_change(request.method) && contains_ignore_case(request.header("Accept"), "text/html");
}

std::string own_path(std::string_view path) {
  const bool is_own = path.starts_with('/') && !path.starts_with("//") && !path.starts_with("/\\") &&
                      std::ranges::none_of(path, [](unsigned char c) { return c <= 0x20 || c >= 0x7f; });
  return is_own ? std::string(path) : "/";
}

}  // namespace caddis::access
