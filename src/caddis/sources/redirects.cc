#include "caddis/sources/redirects.h"

namespace caddis::sources {

Result<remote::WebAnswer> get_following(remote::WebClient& client, std::string address, const Redirects& redirects) {
  for (int followed = 0;; ++followed) {
    TRY(auto answer, client.get(redirects.request(address)));
    const std::string_view location = answer.header("location");
    const bool is_redirect = answer.status >= 301 && answer.status <= 308 && answer.status != 304 && !location.empty();
    if (!is_redirect || followed == redirects.most) return answer;
    const auto base = url::Url::parse(address);
    const auto target = url::Url::parse(location, base ? &*base : nullptr);
    if (!target || !target->is_http() || !redirects.may_follow(answer, *target)) return answer;
    address = target->href();
  }
}

}  // namespace caddis::sources
