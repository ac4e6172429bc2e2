#include <algorithm>

#include "caddis/cdx/line.h"
#include "caddis/cdx/query.h"
#include "caddis/cdx/url_captures.h"

namespace caddis::cdx {
namespace {

// The lines that begin with `prefix`.
Result<KeyRange> range_of_prefix(std::string prefix) {
  KeyRange range{prefix, {}};
  while (!prefix.empty() && static_cast<unsigned char>(prefix.back()) == 0xFF) prefix.pop_back();
  if (prefix.empty()) return fail(ErrorCode::parse, "an empty prefix");
  ++prefix.back();
  range.to = std::move(prefix);
  return range;
}

// The part of a key that names the host, with what it is reached by.
std::string_view host_of_key(std::string_view key, url::KeyForm form) {
  if (form == url::KeyForm::surt) return key.substr(0, key.find(")/"));
  if (form == url::KeyForm::outback) {
    // Behind the ')' stands the port; an address has none of both.
    const size_t end = key.find(')'), path = key.find('/');
    return key.substr(0, end < path ? end : std::min(path, key.find(':')));
  }
  if (form == url::KeyForm::ssurt) return key.substr(0, key.find("//"));
  const size_t authority = form == url::KeyForm::url ? key.find("://") : std::string_view::npos;
  return key.substr(0, key.find('/', authority == std::string_view::npos ? 0 : authority + 3));
}

Result<KeyRange> range_of_host(std::string_view key, const url::KeyPolicy& policy, bool with_subdomains) {
  const std::string host(host_of_key(key, policy.form()));
  switch (policy.form()) {
    case url::KeyForm::surt: {
      // "com,example)/" to "com,example*" holds the host; up to "com,example-" also "com,example,sub)/".
      const std::string separator = host.find(',') == std::string::npos && with_subdomains ? "," : ")/";
      return KeyRange{host + separator, host + (with_subdomains ? "-" : "*")};
    }
    case url::KeyForm::outback: {
      const bool is_address = !key.substr(host.size()).starts_with(')');
      if (is_address) return range_of_prefix(host + '/');
      return KeyRange{host + ")", host + (with_subdomains ? "-" : "*")};
    }
    case url::KeyForm::ssurt:
      return range_of_prefix(host + (with_subdomains ? "" : "//"));
    case url::KeyForm::url:
    case url::KeyForm::host_path:
      break;
  }
  if (!with_subdomains) return range_of_prefix(host + '/');
  return fail(ErrorCode::unsupported,
              "matchType=domain: the keys of this index do not begin with the domain (policy '" + policy.notation() +
                  "'); rewrite it with caddis index rekey --key-policy ia-surt");
}

}  // namespace

std::string url_key(std::string_view url, const url::KeyPolicy& policy) { return index_key(asked_url(url), policy); }

Result<KeyRange> key_range(std::string_view url, MatchType match, const url::KeyPolicy& policy,
                           std::string_view timestamp) {
  std::string key = index_key(asked_url(url), policy, timestamp);
  // The key of "http://example.com/dir/" may have no slash at its end; the prefix meant by it has.
  if (match == MatchType::prefix && url.ends_with('/') && !key.ends_with('/')) key += '/';
  return key_range_of(std::move(key), match, policy);
}

Result<KeyRange> key_range_of(std::string key, MatchType match, const url::KeyPolicy& policy) {
  switch (match) {
    case MatchType::exact:
      return KeyRange{key + ' ', key + '!'};
    case MatchType::prefix:
      return range_of_prefix(std::move(key));
    case MatchType::range:
      return KeyRange{std::move(key), "\xFF"};
    case MatchType::host:
    case MatchType::domain:
      break;
  }
  return range_of_host(key, policy, match == MatchType::domain);
}

}  // namespace caddis::cdx
