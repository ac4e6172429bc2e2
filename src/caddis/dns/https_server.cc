#include <fmt/format.h>

#include "caddis/base/visible.h"
#include "caddis/dns/settings.h"
#include "caddis/url/url.h"

namespace caddis::dns {

Result<void> check_https_server(std::string_view text) {
  if (text.empty()) return {};
  const auto url = url::Url::parse(text);
  if (url && url->scheme() == "https" && !url->has_userinfo() && url->hash().empty()) return {};
  return fail(ErrorCode::config,
              fmt::format("'{}' is no https URL of a DNS server, such as https://dns.example/dns-query",
                          visible(text, kQuoted)));
}

}  // namespace caddis::dns
