// The live statistics page of a crawl: one HTML document that asks /status every second and loads nothing else. It
// holds nothing of the crawl: what it shows, it asks for with the token of its address, or of a form where that had
// none.
#pragma once

#include "caddis/http/server.h"

namespace caddis::control {

http::ServerResponse status_page();

}  // namespace caddis::control
