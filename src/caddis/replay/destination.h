// What a client wants a response for, as far as it says (Fetch Metadata: Sec-Fetch-Dest). Pure, any thread.
//
// Browsers send the field over https and to loopback. Elsewhere it is missing, and programs never send it: then the
// Accept field tells a browser that opens a page from a program that fetches.
#pragma once

#include <string_view>

#include "caddis/http/server.h"
#include "caddis/replay/address.h"

namespace caddis::replay {

enum class Destination {
  window,    // a page at the top of a window
  frame,     // a page in a frame
  plugin,    // <object>, <embed>: a page, a picture or a document for a plug-in
  resource,  // anything that a page loads: images, scripts, what scripts fetch
  unknown,
};

inline std::string_view named_destination(const http::ServerRequest& request) {
  return request.header("sec-fetch-dest");
}

inline Destination destination_of(const http::ServerRequest& request) {
  const std::string_view name = named_destination(request);
  if (name.empty()) return Destination::unknown;
  if (name == "document") return Destination::window;
  if (name == "iframe" || name == "frame" || name == "fencedframe") return Destination::frame;
  if (name == "object" || name == "embed") return Destination::plugin;
  return Destination::resource;
}

// True for a browser that opens a page, and does not say whether in a window or a frame.
inline bool is_browser_without_word(const http::ServerRequest& request) {
  return named_destination(request).empty() && request.header("accept").find("text/html") != std::string_view::npos;
}

// Whether a page is opened at the top of a window. Frames are never given the addresses of Modifier::page, so a browser
// that does not say what it opens there opens a window.
inline bool is_for_a_window(const http::ServerRequest& request, Modifier modifier) {
  return destination_of(request) == Destination::window ||
         (modifier == Modifier::page && is_browser_without_word(request));
}

inline bool is_for_a_frame(const http::ServerRequest& request, Modifier modifier) {
  return destination_of(request) == Destination::frame ||
         (is_page(modifier) && modifier != Modifier::page && is_browser_without_word(request));
}

}  // namespace caddis::replay
