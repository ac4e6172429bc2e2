#include "caddis/visit/fetch_counts.h"

#include <algorithm>

#include "caddis/http/exchange.h"
#include "caddis/url/url.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

constexpr std::string_view kFailed = "-failed";  // the end of LoginFacts::way

// The name of its part; without an answer that of the scheme.
std::string_view protocol_of(const url::Url& url, const http::Exchange* exchange) {
  if (!url.is_http()) return url.scheme();
  return exchange != nullptr && http::protocol_of(*exchange) == "h2" ? "http2" : "http";
}

}  // namespace

void FetchCounts::add(const Visit& visit) {
  const auto found = std::ranges::find(kProtocols, protocol_of(*visit.url(), visit.document.exchange()));
  if (found != kProtocols.end())
    protocols_[static_cast<size_t>(found - kProtocols.begin())].add(visit.document.exchange() == nullptr);
  const std::string& way = visit.document.login.way;
  if (way.starts_with("basic")) basic_.add(way.ends_with(kFailed));
  if (way.starts_with("digest")) digest_.add(way.ends_with(kFailed));
}

void FetchCounts::add(const cookies::CookieCounts& counts) {
  cookies_.kept.times += counts.kept;
  cookies_.too_large.times += counts.too_large;
  cookies_.refused.times += counts.refused;
  cookies_.over_domain.times += counts.over_domain;
  cookies_.over_total.times += counts.over_total;
}

void FetchCounts::report(std::vector<StepPart>& parts) const {
  for (size_t i = 0; i < kProtocols.size(); ++i) parts.push_back(protocols_[i].part(kProtocols[i]));
  parts.push_back(basic_.part("basic"));
  parts.push_back(digest_.part("digest"));
  parts.push_back(form_.part("form"));
  parts.push_back(cookies_.kept.part("cookies-kept"));
  parts.push_back(cookies_.over_domain.part("cookies-over-domain"));
  parts.push_back(cookies_.over_total.part("cookies-over-total"));
  parts.push_back(cookies_.too_large.part("cookies-too-large"));
  parts.push_back(cookies_.refused.part("cookies-refused"));
}

}  // namespace caddis::visit
