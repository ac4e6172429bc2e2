// GET requests that follow redirects (RFC 9110 section 15.4).
#pragma once

#include <functional>
#include <string>

#include "caddis/base/error.h"
#include "caddis/remote/web_client.h"
#include "caddis/url/url.h"

namespace caddis::sources {

struct Redirects {
  int most = 4;
  std::function<remote::WebRequest(const std::string& address)> request;  // for each address
  std::function<bool(const remote::WebAnswer& answer, const url::Url& target)> may_follow;
};

// The first answer that does not redirect, is not to be followed, or comes when `most` were followed. Waits for it.
Result<remote::WebAnswer> get_following(remote::WebClient& client, std::string address, const Redirects& redirects);

}  // namespace caddis::sources
