// The page of a crawl for people: those of the engine (module webui), of which the crawl shows what belongs to one
// crawl. It holds nothing of the crawl: what it shows, it asks for with the token of its address, or of a form where
// that had none.
#pragma once

#include "caddis/http/server.h"

namespace caddis::control {

http::ServerResponse status_page();

}  // namespace caddis::control
