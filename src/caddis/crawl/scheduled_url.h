// From a URL to what the frontier takes, as the settings and the state of a crawl say.
#pragma once

#include <string_view>

#include "caddis/base/error.h"
#include "caddis/config/settings.h"
#include "caddis/frontier/frontier.h"
#include "caddis/url/canonicalize.h"
#include "caddis/url/url.h"

namespace caddis::visit {
struct UrlRequest;
}  // namespace caddis::visit

namespace caddis::crawl {

// The URL as it is scheduled, being its own seed.
Result<frontier::ScheduledUrl> make_scheduled_url(const url::Url& url, const frontier::Identity& identity,
                                                  const url::KeyPolicy& policy);
// Has that request made of it: a POST has a key of its own, of which its body is a part.
Result<void> ask_by(const visit::UrlRequest& request, const url::Url& url, const frontier::Identity& identity,
                    const url::KeyPolicy& policy, frontier::ScheduledUrl& scheduled);
// The row of the state: "<k0> <k1>".
frontier::Identity read_identity(std::string_view row);

}  // namespace caddis::crawl
