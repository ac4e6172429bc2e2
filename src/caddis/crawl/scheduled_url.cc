#include "caddis/crawl/scheduled_url.h"

#include "caddis/base/strings.h"
#include "caddis/url/crawl_schemes.h"
#include "caddis/url/public_form.h"
#include "caddis/visit/url_request.h"

namespace caddis::crawl {

Result<frontier::ScheduledUrl> make_scheduled_url(const url::Url& url, const frontier::Identity& identity,
                                                  const url::KeyPolicy& policy) {
  frontier::ScheduledUrl scheduled;
  scheduled.candidate.url = url.href();
  scheduled.candidate.seed = url::public_form(url);
  scheduled.origin = frontier::origin_of(url);
  scheduled.host = url::crawl_host(url);
  TRY(const std::string key, url::crawl_key(policy, url));
  scheduled.fingerprint = identity.fingerprint(key, identity.partition(scheduled.host));
  return scheduled;
}

Result<void> ask_by(const visit::UrlRequest& request, const url::Url& url, const frontier::Identity& identity,
                    const url::KeyPolicy& policy, frontier::ScheduledUrl& scheduled) {
  TRY(const url::Url as_key, request.key_url(url));
  TRY(const std::string key, url::crawl_key(policy, as_key));
  scheduled.fingerprint = identity.fingerprint(key, identity.partition(scheduled.host));
  request.put_into(scheduled.candidate);
  return {};
}

frontier::Identity read_identity(std::string_view row) {
  const auto number = [](std::string_view text) {
    uint64_t value = 0;
    for (const char c : text) value = value * 10 + static_cast<uint64_t>(c - '0');
    return value;
  };
  const auto keys = split(row, ' ');
  return {{number(keys.front()), number(keys.back())}};
}

}  // namespace caddis::crawl
