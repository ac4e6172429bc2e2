#include "caddis/scope/seeds.h"

#include <algorithm>

#include "caddis/url/domain.h"

namespace caddis::scope {
namespace {

constexpr std::string_view kEverything = "*";

// "example.com:8080/a/b?c": host, path and query, which lie side by side in a URL. The scheme does not count.
std::string_view from_host(const url::Url& url) {
  const std::string_view href = url.without_fragment();
  if (!url.has_host()) return href;
  return href.substr(static_cast<size_t>(url.host().data() - href.data()));
}

std::string prefix_of(const url::Url& seed) {
  std::string_view whole = from_host(seed);
  whole = whole.substr(0, whole.find('?'));
  return std::string(whole.substr(0, whole.rfind('/') + 1));
}

// Where the suffix list knows no registrable domain (addresses, "localhost", a public suffix itself) the host stands
// for itself.
std::string domain_of(const url::Url& seed) {
  const std::string_view domain = url::registrable_domain(seed.hostname());
  return std::string(domain.empty() ? seed.hostname() : domain);
}

}  // namespace

void SeedIndex::add(const url::Url& seed) {
  switch (kind_) {
    case ScopeKind::page:
      keys_.try_emplace(std::string(seed.without_fragment()));
      break;
    case ScopeKind::prefix: {
      auto& prefixes = keys_[std::string(seed.host())];
      if (std::string prefix = prefix_of(seed); std::ranges::find(prefixes, prefix) == prefixes.end())
        prefixes.push_front(std::move(prefix));
      break;
    }
    case ScopeKind::host:
      keys_.try_emplace(std::string(seed.host()));
      break;
    case ScopeKind::domain:
      keys_.try_emplace(domain_of(seed));
      break;
    case ScopeKind::any:
      break;
  }
}

std::string_view SeedIndex::find(const url::Url& url) const {
  switch (kind_) {
    case ScopeKind::page:
      return find_key(url.without_fragment());
    case ScopeKind::prefix:
      return find_prefix(url);
    case ScopeKind::host:
      return find_key(url.host());
    case ScopeKind::domain:
      return find_domain(url.hostname());
    case ScopeKind::any:
      return kEverything;
  }
  return {};
}

std::string_view SeedIndex::find_key(std::string_view key) const {
  const auto found = keys_.find(key);
  return found == keys_.end() ? std::string_view() : std::string_view(found->first);
}

std::string_view SeedIndex::find_prefix(const url::Url& url) const {
  const auto found = keys_.find(url.host());
  if (found == keys_.end()) return {};
  const std::string_view whole = from_host(url);
  for (const std::string& prefix : found->second) {
    if (whole.starts_with(prefix)) return prefix;
  }
  return {};
}

// The host itself, then each domain above it: no look-up in the suffix list on the hot path.
std::string_view SeedIndex::find_domain(std::string_view hostname) const {
  for (std::string_view domain = hostname; !domain.empty();) {
    if (std::string_view found = find_key(domain); !found.empty()) return found;
    const size_t dot = domain.find('.');
    domain = dot == domain.npos ? std::string_view() : domain.substr(dot + 1);
  }
  return {};
}

}  // namespace caddis::scope
