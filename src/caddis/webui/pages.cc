#include "caddis/webui/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "caddis/base/hash.h"
#include "caddis/base/strings.h"
#include "caddis/webui/assets.h"

namespace caddis::webui {
namespace {

constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

struct Asset {
  std::string_view path, name, type;
};

constexpr Asset kAssets[] = {
    {"/assets/app.js", "app.js", "text/javascript; charset=utf-8"},
    {"/assets/app.css", "app.css", "text/css; charset=utf-8"},
};

// True if a list such as "gzip, br;q=0.5" has the coding, and not with a weight of 0.
bool accepts(std::string_view list, std::string_view coding) {
  while (!list.empty()) {
    const size_t end = std::min(list.find(','), list.size());
    const std::string_view item = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    const size_t name_end = std::min(item.find(';'), item.size());
    if (!equals_ignore_case(trim(item.substr(0, name_end)), coding)) continue;
    const std::string_view weight = trim(item.substr(std::min(name_end + 1, item.size())));
    return weight.find_first_of("123456789") != std::string_view::npos || weight.empty();
  }
  return false;
}

// The ETag is that of the bytes that are sent: those of the packed file are other ones.
std::string etag_of(std::string_view bytes) { return fmt::format("\"{:016x}\"", siphash(bytes, 0, 0)); }

http::ServerResponse asset_response(const Asset& asset, const http::ServerRequest& request) {
  const std::string_view packed =
      accepts(request.header("Accept-Encoding"), "gzip") ? find_asset(fmt::format("{}.gz", asset.name)) : "";
  const std::string_view bytes = packed.empty() ? find_asset(asset.name) : packed;
  const std::string etag = etag_of(bytes);
  http::ServerResponse response(200);
  response.headers = {{"Content-Type", std::string(asset.type)},
                      {"Cache-Control", "no-cache"},
                      {"ETag", etag},
                      {"Vary", "Accept-Encoding"},
                      {"X-Content-Type-Options", "nosniff"}};
  if (request.header("If-None-Match").contains(etag)) {
    response.status = 304;
    return response;
  }
  if (!packed.empty()) response.headers.emplace_back("Content-Encoding", "gzip");
  response.body = bytes;
  return response;
}

}  // namespace

http::ServerResponse page(Server server) {
  http::ServerResponse response(200);
  response.headers = {{"Content-Type", "text/html; charset=utf-8"},
                      {"Content-Security-Policy", std::string(kPolicy)},
                      {"Cache-Control", "no-store"},
                      {"X-Content-Type-Options", "nosniff"},
                      {"X-Frame-Options", "DENY"},
                      {"Referrer-Policy", "same-origin"},
                      {"Cross-Origin-Opener-Policy", "same-origin"},
                      {"Cross-Origin-Resource-Policy", "same-origin"}};
  response.body = find_asset("index.html");
  if (server != Server::engine) {
    constexpr std::string_view kMode = "data-mode=\"engine\"";
    if (const size_t at = response.body.find(kMode); at != std::string::npos)
      response.body.replace(at, kMode.size(),
                            server == Server::crawl ? "data-mode=\"crawl\"" : "data-mode=\"harvest\"");
  }
  return response;
}

std::optional<http::ServerResponse> asset(const http::ServerRequest& request) {
  if (request.method != "GET" && request.method != "HEAD") return std::nullopt;
  for (const Asset& asset : kAssets)
    if (request.path == asset.path) return asset_response(asset, request);
  return std::nullopt;
}

bool is_for_everybody(const http::ServerRequest& request) {
  return request.path == "/" || request.path.starts_with("/assets/");
}

http::ServerResponse answer(const http::ServerRequest& request, Server server) {
  if (auto found = asset(request)) return *std::move(found);
  if (request.path != "/") return http::text_response(404, "There is no such page. All of them begin at /.");
  if (request.method != "GET" && request.method != "HEAD") return http::text_response(405, "A page can only be read.");
  return page(server);
}

}  // namespace caddis::webui
