#include "live_requests.h"

#include "caddis/base/strings.h"
#include "caddis/replay/address.h"
#include "caddis/replay/base_path.h"
#include "caddis/url/url.h"

namespace caddis::cli {
namespace {

// The page that a field names is none of this host.
bool is_elsewhere(std::string_view page, const http::ServerRequest& request) {
  if (page.empty()) return false;
  const auto url = url::Url::parse(page);
  return !url || !equals_ignore_case(url->host(), request.header("host"));
}

}  // namespace

std::optional<AskedPlace> asked_place(std::string_view target) {
  const size_t slash = target.find('/', 1);
  if (slash == std::string_view::npos || target.size() < 2 || target[1] == '-' || target[1] == '~') return std::nullopt;
  return AskedPlace{std::string(target.substr(1, slash - 1)), std::string(target.substr(slash + 1))};
}

// Browsers say so to this machine and over https; older ones name the page that asks. Programs say nothing.
bool is_of_a_stranger(const http::ServerRequest& request) {
  const std::string_view site = request.header("sec-fetch-site");
  if (!site.empty()) return site != "none" && site != "same-origin";
  return is_elsewhere(request.header("origin"), request) || is_elsewhere(request.header("referer"), request);
}

bool is_outside(const http::ServerRequest& request, std::string_view base) {
  const auto referer = url::Url::parse(request.header("referer"));
  return referer && !replay::below_base(base, referer->pathname());
}

std::string page_of(const http::ServerRequest& request, std::string_view base) {
  const auto referer = url::Url::parse(request.header("referer"));
  if (!referer) return {};
  const auto below = replay::below_base(base, std::string(referer->pathname()) + std::string(referer->search()));
  const auto asked = below ? asked_place(*below) : std::nullopt;
  const auto address = asked ? replay::parse_address(asked->rest) : std::nullopt;
  return address ? address->url : std::string();
}

}  // namespace caddis::cli
