#include "caddis/control/status_page.h"

#include "caddis/control/assets.h"

namespace caddis::control {

http::ServerResponse status_page() {
  http::ServerResponse page;
  page.headers.emplace_back("Content-Type", "text/html; charset=utf-8");
  page.headers.emplace_back("Content-Security-Policy",
                            "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src "
                            "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  page.body = find_asset("status.html");
  return page;
}

}  // namespace caddis::control
