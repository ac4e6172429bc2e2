// The page around a capture: the window's own document, which shows the capture in a frame that it cannot leave, and
// the banner. `web/replay/frame.js` is its script; what it and the client script of the capture tell each other stands
// there.
#pragma once

#include <string>
#include <string_view>

#include "caddis/replay/request_context.h"

namespace caddis::replay {

// For a window that opens the capture at `context.own_prefix() + capture.timestamp + url`.
http::ServerResponse frame_page(const RequestContext& context, const cdx::Capture& capture, std::string_view url);

// The source that a policy names to let captures of this collection be shown: their host, or the addresses with its key.
std::string captures_source(const RequestContext& context);

// In place of a capture that cannot be shown in a frame (a PDF, a download), or of the word that there is none, in the
// frame: it asks the page around it to open the same address by itself.
http::ServerResponse alone_page(const RequestContext& context, int status, std::string_view timestamp,
                                std::string_view url, std::string_view sentence);

// The tag of the client script in a captured page. `url` is the page's; `around` may be null.
std::string client_script_tag(const RequestContext& context, std::string_view timestamp, Modifier modifier,
                              std::string_view url, const cdx::UrlCaptures::Neighbours* around,
                              bool opens_alone = false);
// The same for the page that a style sheet makes of a document: the script takes its place from the address of that.
std::string client_script_tag(const RequestContext& context);

}  // namespace caddis::replay
