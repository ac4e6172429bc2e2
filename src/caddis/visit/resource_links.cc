#include "caddis/visit/resource_links.h"

#include <string>
#include <vector>

#include "caddis/extract/extract.h"
#include "caddis/protocols/ftp_listing.h"
#include "caddis/protocols/whois.h"
#include "caddis/url/percent.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

using extract::Hop;
using Listing = http::Resource::Listing;

// Heritrix's context of a link that stands in no element.
constexpr std::string_view kContext = "=NAVLINK_MISC";

void add(Visit& visit, const std::vector<std::string>& urls, Hop hop) {
  std::vector<extract::WrittenLink> links;
  links.reserve(urls.size());
  for (const std::string& each : urls) links.push_back({.written = each, .hop = hop, .context = kContext});
  constexpr size_t kMostNames = 100'000;
  extract::add_links(*visit.url(), links, kMostNames, visit.site().extract, *visit.document.extracted);
}

// Without user and password, which a request takes from the settings, or has from its own URL.
std::string folder_url(const url::Url& url) {
  return std::string(url.without_fragment().substr(0, url.without_fragment().size() - url.search().size()));
}

// The question, asked of the server that knows more.
std::vector<std::string> referred(Visit& visit, std::string_view answer) {
  const url::Url& url = *visit.url();
  const auto server = protocols::whois_referral(answer);
  if (!server || *server == url.hostname() || *server == url.host()) return {};
  std::string_view path = url.pathname();
  path.remove_prefix(path.starts_with('/') ? 1 : 0);
  return {protocols::whois_url(*server, url::percent_decode(path), visit.site().fetch.whois_queries)};
}

}  // namespace

Result<void> add_resource_links(Visit& visit, const http::Resource& resource) {
  if (resource.protocol == "whois") {
    TRY(const std::string_view answer, visit.document.body_bytes());
    add(visit, referred(visit, answer), Hop::redirect);
    return {};
  }
  const std::string folder = folder_url(*visit.url());
  if (resource.listing != Listing::none && visit.site().fetch.ftp_listings) {
    TRY(const std::string_view listing, visit.document.body_bytes());
    add(visit, protocols::listed_urls(folder, protocols::read_listing(listing, resource.listing)), Hop::navlink);
  }
  if (const std::string parent = protocols::parent_url(folder); !parent.empty() && visit.site().fetch.ftp_parent)
    add(visit, {parent}, Hop::navlink);
  return {};
}

}  // namespace caddis::visit
