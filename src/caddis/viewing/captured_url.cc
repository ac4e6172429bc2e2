#include "caddis/viewing/captured_url.h"

#include <algorithm>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/cdx/line.h"
#include "caddis/url/percent.h"

namespace caddis::viewing {
namespace {

// "dns:www.example.com", "dns://192.0.2.1/www.example.com?type=A" (RFC 4501) -> "www.example.com".
std::string_view host_of_dns(std::string_view rest) {
  if (rest.starts_with("//")) {
    const size_t slash = rest.find('/', 2);
    if (slash == std::string_view::npos) return {};
    rest.remove_prefix(slash + 1);
  }
  rest = rest.substr(0, rest.find_first_of("?;#/"));
  while (rest.ends_with('.')) rest.remove_suffix(1);
  return rest;
}

// The address of the web in a URL of another kind; empty if it holds none.
std::string_view address_within(std::string_view url) {
  const std::string lower = to_lower(url);
  const size_t begin = std::min(lower.find("http://"), lower.find("https://"));
  const bool is_first = begin != std::string::npos && lower.find("://") == lower.find("://", begin);
  return is_first && begin > 0 ? url.substr(begin) : std::string_view();
}

std::string key_of_dns(std::string_view host) {
  const std::string key = cdx::index_key("http://" + std::string(host) + "/");
  // Rules about its host and domain hold; those about a page of the host do not.
  const size_t end = key.find(")/");
  return end == std::string::npos ? std::string() : key.substr(0, end + 1);
}

}  // namespace

CapturedUrl captured_url(std::string_view url, std::string_view key) {
  CapturedUrl made{std::string(url), {}};
  made.keys.push_back(key.empty() ? cdx::index_key(url) : std::string(key));
  const std::string scheme = to_lower(url.substr(0, url.find(':')));
  if (scheme == "dns") {
    if (std::string of_host = key_of_dns(host_of_dns(url.substr(4))); !of_host.empty())
      made.keys.push_back(std::move(of_host));
    return made;
  }
  std::string_view address = address_within(url);
  std::string decoded;
  if (address.empty() && scheme == "urn" && url.contains('%')) {
    decoded = url::percent_decode(url);
    address = address_within(decoded);
  }
  if (!address.empty()) made.keys.push_back(cdx::index_key(address));
  return made;
}

}  // namespace caddis::viewing
