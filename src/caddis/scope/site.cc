#include "caddis/scope/site.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/url/crawl_schemes.h"
#include "caddis/url/surt.h"
#include "caddis/url/url.h"

namespace caddis::scope {
namespace {

constexpr std::string_view kAll = "http://(";
constexpr std::string_view kFiles = "file:///";  // all files of this machine

bool is_address(std::string_view host) {
  return host.find('.') != host.npos && host.find_first_not_of("0123456789.") == host.npos;
}

// The labels of a SURT, last one first, each with its comma. Whoever forgets the last comma, or does not turn the name
// round, has a prefix with which no URL begins.
Result<void> check_labels(std::string_view labels, bool closed) {
  labels = labels.substr(0, labels.find_first_of(":@"));
  if (labels.starts_with('[') || is_address(labels)) return {};
  if (labels.find('.') != labels.npos)
    return fail(ErrorCode::config, "in a SURT prefix a name stands the other way round: (org,example,)");
  if (closed && !labels.ends_with(','))
    return fail(ErrorCode::config, fmt::format("a comma is missing before its ')': ({},)", labels));
  return {};
}

Result<std::vector<std::string>> surt_prefix(std::string_view text) {
  std::string surt = to_lower(text);
  if (surt.starts_with("https://(")) surt.erase(4, 1);
  if (surt.starts_with('(')) surt.insert(0, "http://");
  if (!surt.starts_with(kAll)) return fail(ErrorCode::config, "a SURT prefix is written like (org,example,)/path");
  const std::string_view rest = std::string_view(surt).substr(kAll.size());
  const size_t end = rest.find(')');
  TRY_VOID(check_labels(rest.substr(0, end), end != rest.npos));
  if (end != rest.npos && end + 1 < rest.size() && rest[end + 1] != '/')
    return fail(ErrorCode::config, "in a SURT prefix a '/' follows the ')'");
  return std::vector{std::move(surt)};
}

// An address has no sub-domains, and where it ends nothing may follow but a port.
std::vector<std::string> host_prefixes(const url::Url& root) {
  const std::string host = url::surt_prefix_of_domain(root.hostname());
  if (!root.port().empty()) return {url::heritrix_surt(root)};
  if (!is_address(root.hostname())) return {host};
  return {host + ")", host + ":", host + "@"};
}

Result<url::Url> parse_http(const std::string& text) {
  auto url = url::Url::parse(text);
  if (!url || !url->is_http() || url->hostname().empty() || url->hostname().find('*') != std::string_view::npos)
    return fail(ErrorCode::config,
                "it is neither a host (example.org, which has its sub-domains with it), nor a URL prefix "
                "(https://example.org/big/), nor a SURT prefix ((org,example,)/big/)");
  return url;
}

}  // namespace

Result<std::vector<std::string>> site_prefixes(std::string_view site) {
  site = trim(site);
  if (site.find_first_of(" \t\r\n") != site.npos) return fail(ErrorCode::config, "it holds a space");
  if (site.find('(') != site.npos) return surt_prefix(site);
  if (site.ends_with("/*"))
    return fail(ErrorCode::config, "a prefix needs no '*' at its end; expressions go into urls");
  if (site == url::kFilesHost) return std::vector{std::string(kFiles)};
  if (starts_with_ignore_case(site, "file://")) {
    const auto url = url::Url::parse(site);
    if (!url || !url->hostname().empty())
      return fail(ErrorCode::config, "folders of this machine are written file:///srv/site/, and file: is all of it");
    return std::vector{url::heritrix_surt(*url)};
  }
  const size_t scheme = site.find("://");
  const std::string_view from_host = scheme == site.npos ? site : site.substr(scheme + 3);
  std::string url_text = scheme == site.npos ? "http://" + std::string(site) : std::string(site);
  const bool is_whole_host = from_host.find_first_of("/?") == from_host.npos;
  // Without a scheme that port says which.
  if (scheme == site.npos && is_whole_host && site.ends_with(":443")) url_text.insert(4, "s");
  TRY(const url::Url url, parse_http(url_text));
  if (is_whole_host) return host_prefixes(url);
  return std::vector{url::heritrix_surt(url)};
}

bool covers_hosts(std::string_view prefix) {
  if (prefix == kFiles) return true;
  if (!prefix.starts_with(kAll)) return prefix.empty();
  const std::string_view rest = prefix.substr(kAll.size());
  const size_t end = rest.find(')');
  const std::string_view labels = rest.substr(0, end);
  const std::string_view path = end == rest.npos ? "" : rest.substr(end + 1);
  const size_t port = labels.rfind(':');
  const bool has_port = port != labels.npos && (!labels.starts_with('[') || labels.find(']') < port);
  return !has_port && (path.empty() || path == "/");
}

}  // namespace caddis::scope
