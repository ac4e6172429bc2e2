#include "caddis/scope/seeds.h"

#include "caddis/url/domain.h"

namespace caddis::scope {
namespace {

constexpr std::string_view kEverything = "*";

// "example.com:8080/a/b": host and path, which lie side by side in a URL. The scheme does not count.
std::string_view host_and_path(const url::Url& url) {
  const std::string_view href = url.without_fragment();
  const std::string_view whole =
      url.has_host() ? href.substr(static_cast<size_t>(url.host().data() - href.data())) : href;
  return whole.substr(0, whole.find('?'));
}

std::string_view prefix_of(const url::Url& seed) {
  const std::string_view whole = host_and_path(seed);
  return whole.substr(0, whole.rfind('/') + 1);
}

// Where the suffix list knows no registrable domain (addresses, "localhost", a public suffix itself) the host stands
// for itself.
std::string_view domain_of(const url::Url& seed) {
  const std::string_view domain = url::registrable_domain(seed.hostname());
  return domain.empty() ? seed.hostname() : domain;
}

}  // namespace

void SeedIndex::reserve(size_t more) {
  if (kind_ != ScopeKind::any) keys_.reserve(kind_ == ScopeKind::prefix ? 2 * more : more);
}

// Files of this machine have no host: the folder of a seed stands for it.
bool SeedIndex::goes_by_prefix(const url::Url& url) const {
  return kind_ == ScopeKind::prefix ||
         (url.scheme() == "file" && (kind_ == ScopeKind::host || kind_ == ScopeKind::domain));
}

// Empty if all URLs belong to any seed.
std::string_view SeedIndex::key_of(const url::Url& seed) const {
  if (goes_by_prefix(seed)) return prefix_of(seed);
  switch (kind_) {
    case ScopeKind::page:
      return seed.without_fragment();
    case ScopeKind::host:
      return seed.host();
    case ScopeKind::domain:
      return domain_of(seed);
    case ScopeKind::prefix:
    case ScopeKind::any:
      break;
  }
  return {};
}

void SeedIndex::add(const url::Url& seed) {
  const std::string_view key = key_of(seed);
  if (key.empty()) return;
  if (goes_by_prefix(seed)) keys_.insert(seed.host());
  keys_.insert(key);
  leaving_.keep(key);
}

void SeedIndex::leave(const url::Url& seed) {
  if (const std::string_view key = key_of(seed); !key.empty()) leaving_.propose(key);
}

void SeedIndex::keep(const url::Url& seed) {
  if (const std::string_view key = key_of(seed); !key.empty()) leaving_.keep(key);
}

std::string_view SeedIndex::find(const url::Url& url) const {
  if (goes_by_prefix(url)) return find_prefix(url);
  switch (kind_) {
    case ScopeKind::page:
      return find_key(url.without_fragment());
    case ScopeKind::host:
      return find_key(url.host());
    case ScopeKind::domain:
      return find_domain(url.hostname());
    case ScopeKind::any:
      return kEverything;
    case ScopeKind::prefix:
      break;
  }
  return {};
}

// The shortest one. Hosts without seeds are told apart at once.
std::string_view SeedIndex::find_prefix(const url::Url& url) const {
  if (!keys_.contains(url.host())) return {};
  const std::string_view whole = host_and_path(url);
  for (size_t slash = whole.find('/'); slash != whole.npos; slash = whole.find('/', slash + 1))
    if (const std::string_view prefix = whole.substr(0, slash + 1); has(prefix)) return prefix;
  return {};
}

// The host itself, then each domain above it: no look-up in the suffix list on the hot path.
std::string_view SeedIndex::find_domain(std::string_view hostname) const {
  for (std::string_view domain = hostname; !domain.empty();) {
    if (has(domain)) return domain;
    const size_t dot = domain.find('.');
    domain = dot == domain.npos ? std::string_view() : domain.substr(dot + 1);
  }
  return {};
}

}  // namespace caddis::scope
