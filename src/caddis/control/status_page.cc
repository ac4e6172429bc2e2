#include "caddis/control/status_page.h"

#include "caddis/webui/pages.h"

namespace caddis::control {

http::ServerResponse status_page() { return webui::page(webui::Server::crawl); }

}  // namespace caddis::control
