// The seeds of a scope by one kind, indexed for the question "does this URL belong to one of them?". Internal to scope.
//
// A seed is kept as its fingerprint: ten bytes, twice that for prefixes. Any thread may add and look up at the same time.
#pragma once

#include <cstddef>
#include <string_view>

#include "caddis/base/fingerprint_set.h"
#include "caddis/scope/leaving_keys.h"
#include "caddis/scope/scope_settings.h"
#include "caddis/url/url.h"

namespace caddis::scope {

class SeedIndex {
 public:
  explicit SeedIndex(ScopeKind kind) : kind_(kind) {}
  // So many more seeds are to come.
  void reserve(size_t more);
  void add(const url::Url& seed);
  // Seeds end in three calls (leaving_keys.h): for those that do, for all others, and once.
  void leave(const url::Url& seed);
  void keep(const url::Url& seed);
  void settle() { leaving_.settle(); }
  // The page, prefix ("example.com/dir/"), host or domain of a seed that `url` belongs to, as a part of `url`; empty if
  // there is none.
  std::string_view find(const url::Url& url) const;

 private:
  bool goes_by_prefix(const url::Url& url) const;
  std::string_view key_of(const url::Url& seed) const;
  bool has(std::string_view key) const { return keys_.contains(key) && !leaving_.is_gone(key); }
  std::string_view find_key(std::string_view key) const { return has(key) ? key : std::string_view(); }
  std::string_view find_prefix(const url::Url& url) const;
  std::string_view find_domain(std::string_view hostname) const;

  const ScopeKind kind_;
  FingerprintSet keys_;  // pages, hosts or domains; hosts and prefixes
  LeavingKeys leaving_;
};

}  // namespace caddis::scope
