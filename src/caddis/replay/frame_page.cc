#include "caddis/replay/frame_page.h"

#include <fmt/format.h>

#include "caddis/base/html_text.h"
#include "caddis/cdx/request_key.h"
#include "caddis/replay/capture_rows.h"
#include "caddis/replay/headers.h"
#include "caddis/replay/wayback.h"

namespace caddis::replay {
namespace {

void add_data(std::string& tag, std::string_view name, std::string_view value) {
  tag += " data-" + std::string(name) + "=\"" + html_escape(value) + '"';
}

std::string client_script_begin(const RequestContext& context) {
  std::string tag = "<script src=\"" + context.place.base + "/-/client.js\"";
  add_data(tag, "prefix", context.prefix);
  // By it the script leads a window into a frame.
  if (!context.options.is_frameless) add_data(tag, "own", context.place.own_origin + context.own_prefix());
  return tag;
}

}  // namespace

std::string captures_source(const RequestContext& context) {
  if (!context.captures_have_host()) return context.place.own_origin + context.captures;
  return context.captures.substr(2, context.captures.find('/', 2) - 2);
}

http::ServerResponse frame_page(const RequestContext& context, const cdx::Capture& capture, std::string_view url) {
  cdx::UrlCaptures::Neighbours around;
  if (auto found = context.collection.index().neighbours(capture)) around = *std::move(found);
  http::ServerResponse response(200);
  response.headers = {{"Content-Type", "text/html; charset=utf-8"},
                      {"Content-Security-Policy",
                       "default-src 'none'; script-src " + context.place.own_origin + context.place.base +
                           "/-/frame.js; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; "
                           "frame-ancestors 'none'; frame-src " +
                           captures_source(context)},
                      {"Referrer-Policy", "same-origin"},
                      {"X-Content-Type-Options", "nosniff"},
                      {"Cross-Origin-Opener-Policy", "same-origin"},
                      {"Vary", "Sec-Fetch-Dest, Accept, Accept-Language, Cookie"}};
  add_memento(context, capture, response);
  const std::string& collection = context.collection.name();
  pages::Data page{{"url", header_url(url)},
                   {"title", url_in_title(url)},
                   {"shown", shown_url(url)},
                   {"prefix", context.own_prefix()},
                   {"captures", context.captures},
                   {"sandbox", context.captures_have_host() ? kSandboxWithOrigin : kSandbox},
                   {"time", capture.timestamp},
                   {"collection", context.collection.heading()},
                   {"about", about_address(collection, capture.timestamp, url)}};
  if (context.options.is_live) page.set("live", true);
  const auto step = [&](const char* name, const std::optional<cdx::Capture>& to) {
    if (to) page.set(name, replay_address(collection, to->timestamp, cdx::indexed_url(*to)));
  };
  step("previous", around.previous);
  step("next", around.next);
  response.body = context.writer.bare_page("frame", std::move(page));
  return response;
}

http::ServerResponse alone_page(const RequestContext& context, int status, std::string_view timestamp,
                                std::string_view url, std::string_view sentence) {
  http::ServerResponse response(status);
  response.headers = {{"Content-Type", "text/html; charset=utf-8"}, {"X-Content-Type-Options", "nosniff"}};
  add_confinement(response.headers, context.confinement);
  response.body = "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n" +
                  client_script_tag(context, timestamp, Modifier::main, url, nullptr, true) +
                  fmt::format("\n<title>{}</title>\n<p>{}: <a href=\"{}{}/{}\" target=\"{}\">{}</a></p>\n",
                              html_escape(url), html_escape(sentence),
                              html_escape(context.options.is_frameless ? context.place.own_origin + context.own_prefix()
                                                                       : context.own_prefix()),
                              html_escape(timestamp), html_escape(header_url(url)),
                              context.options.is_frameless ? "_self" : "_blank", html_escape(url));
  return response;
}

std::string client_script_tag(const RequestContext& context, std::string_view timestamp, Modifier modifier,
                              std::string_view url, const cdx::UrlCaptures::Neighbours* around, bool opens_alone) {
  std::string tag = client_script_begin(context);
  const auto add = [&](std::string_view name, std::string_view value) { add_data(tag, name, value); };
  add("timestamp", timestamp);
  add("modifier", to_string(modifier));
  add("url", url);
  if (around != nullptr && around->previous) add("previous", around->previous->timestamp);
  if (around != nullptr && around->next) add("next", around->next->timestamp);
  if (opens_alone) tag += " data-alone";
  return tag + "></script>";
}

std::string client_script_tag(const RequestContext& context) { return client_script_begin(context) + "></script>"; }

}  // namespace caddis::replay
