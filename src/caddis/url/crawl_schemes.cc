#include "caddis/url/crawl_schemes.h"

#include "caddis/base/strings.h"

namespace caddis::url {

bool can_be_crawled(const Url& url) {
  if (url.is_http()) return true;
  if (url.hostname().empty()) return url.scheme() == "file";
  return url.scheme() == "ftp" || url.scheme() == "sftp" || url.scheme() == "whois";
}

bool may_lead_to(const Url& document, const Url& target) {
  return target.scheme() != "file" || document.scheme() == "file";
}

std::string_view crawl_host(const Url& url) {
  return url.scheme() == "file" && url.hostname().empty() ? kFilesHost : url.hostname();
}

std::string with_whois_server(std::string_view text) {
  constexpr std::string_view kScheme = "whois:";
  if (!starts_with_ignore_case(text, kScheme)) return std::string(text);
  const std::string_view query = text.substr(kScheme.size());
  if (query.empty() || query.starts_with('/')) return std::string(text);
  return std::string("whois://").append(kFirstWhoisServer).append("/").append(query);
}

}  // namespace caddis::url
