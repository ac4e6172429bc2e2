#include "caddis/replay/frame_page.h"

#include <fmt/format.h>

#include "caddis/base/html_text.h"
#include "caddis/replay/headers.h"
#include "caddis/replay/views.h"

namespace caddis::replay {
namespace {

// A step to another capture of the same page: a link, or its sign where there is none.
std::string step(const RequestContext& context, std::string_view id, std::string_view sign, std::string_view title,
                 const std::optional<cdx::Capture>& capture) {
  if (!capture) return fmt::format("<a id=\"{}\" title=\"{}\">{}</a>", id, title, sign);
  return fmt::format(R"(<a id="{}" href="{}{}/{}" title="{}">{}</a>)", id, html_escape(context.own_prefix()),
                     html_escape(capture->timestamp), html_escape(capture->url), title, sign);
}

// What the frame may show: the captures' host, or the addresses with the collection's key.
std::string frame_source(const RequestContext& context) {
  if (!context.captures_have_host()) return context.place.own_origin + context.captures;
  return context.captures.substr(2, context.captures.find('/', 2) - 2);
}

}  // namespace

http::ServerResponse frame_page(const RequestContext& context, const cdx::Capture& capture, std::string_view url) {
  cdx::UrlCaptures::Neighbours around;
  if (auto found = context.collection.index().neighbours(capture)) around = *std::move(found);
  const std::string prefix = html_escape(context.own_prefix());
  const std::string shown = html_escape(header_url(url));
  http::ServerResponse response(200);
  response.headers = {{"Content-Type", "text/html; charset=utf-8"},
                      {"Content-Security-Policy",
                       "default-src 'none'; script-src " + context.place.own_origin +
                           "/-/frame.js; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; "
                           "frame-ancestors 'none'; frame-src " +
                           frame_source(context)},
                      {"Referrer-Policy", "same-origin"},
                      {"X-Content-Type-Options", "nosniff"},
                      {"Cross-Origin-Opener-Policy", "same-origin"},
                      {"Vary", "Sec-Fetch-Dest, Accept"}};
  add_memento(context, capture, response);
  response.body = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{url}</title>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"robots\" content=\"noindex, nofollow\">\n"
      "<link rel=\"stylesheet\" href=\"/-/frame.css\">\n<link rel=\"icon\" href=\"/-/icon.svg\">\n"
      "<script src=\"/-/frame.js\" defer data-prefix=\"{prefix}\" "
      "data-captures=\"{captures}\"></script>\n</head>\n<body>\n"
      "<iframe id=\"capture\" title=\"the captured page\" sandbox=\"{sandbox}\" allowfullscreen "
      "src=\"{captures}{time}mp_/{url}\"></iframe>\n"
      "<nav id=\"banner\">{previous} <a id=\"time\" href=\"{prefix}*/{url}\" title=\"all captures of {url} in "
      "{collection}\">{words}</a> {next} <button id=\"hide\" title=\"hide\">\xE2\x9C\x95</button></nav>\n"
      "</body>\n</html>\n",
      fmt::arg("url", shown), fmt::arg("prefix", prefix), fmt::arg("captures", html_escape(context.captures)),
      fmt::arg("sandbox", context.captures_have_host() ? kSandboxWithOrigin : kSandbox),
      fmt::arg("time", html_escape(capture.timestamp)),
      fmt::arg("previous", step(context, "previous", "\xE2\x97\x80", "previous capture", around.previous)),
      fmt::arg("next", step(context, "next", "\xE2\x96\xB6", "next capture", around.next)),
      fmt::arg("collection", html_escape(context.collection.name())),
      fmt::arg("words", html_escape(readable_time(capture.timestamp))));
  return response;
}

http::ServerResponse alone_page(const RequestContext& context, int status, std::string_view timestamp,
                                std::string_view url, std::string_view sentence) {
  http::ServerResponse response(status);
  response.headers = {{"Content-Type", "text/html; charset=utf-8"}, {"X-Content-Type-Options", "nosniff"}};
  add_confinement(response.headers, context.confinement);
  response.body = "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n" +
                  client_script_tag(context, timestamp, Modifier::main, url, nullptr, true) +
                  fmt::format("\n<title>{}</title>\n<p>{}: <a href=\"{}{}/{}\" target=\"_blank\">{}</a></p>\n",
                              html_escape(url), html_escape(sentence), html_escape(context.own_prefix()),
                              html_escape(timestamp), html_escape(header_url(url)), html_escape(url));
  return response;
}

std::string client_script_tag(const RequestContext& context, std::string_view timestamp, Modifier modifier,
                              std::string_view url, const cdx::UrlCaptures::Neighbours* around, bool opens_alone) {
  std::string tag = "<script src=\"/-/client.js\"";
  const auto add = [&](std::string_view name, std::string_view value) {
    tag += " data-" + std::string(name) + "=\"" + html_escape(value) + '"';
  };
  add("prefix", context.prefix);
  add("timestamp", timestamp);
  add("modifier", to_string(modifier));
  add("url", url);
  add("own", context.place.own_origin + context.own_prefix());
  if (around != nullptr && around->previous) add("previous", around->previous->timestamp);
  if (around != nullptr && around->next) add("next", around->next->timestamp);
  if (opens_alone) tag += " data-alone";
  return tag + "></script>";
}

}  // namespace caddis::replay
