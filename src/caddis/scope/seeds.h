// The seeds of a scope, indexed for the question "does this URL belong to one of them?". Internal to scope.
//
// Immutable after the last add; lookups from any thread. `find` gives what matched, a view that lives as long as the
// index.
#pragma once

#include <forward_list>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "caddis/scope/scope_settings.h"
#include "caddis/url/url.h"

namespace caddis::scope {

class SeedIndex {
 public:
  explicit SeedIndex(ScopeKind kind) : kind_(kind) {}
  void add(const url::Url& seed);
  // The page, prefix ("example.com/dir/"), host or domain that `url` belongs to; empty where there is none.
  std::string_view find(const url::Url& url) const;

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  std::string_view find_key(std::string_view key) const;
  std::string_view find_prefix(const url::Url& url) const;
  std::string_view find_domain(std::string_view hostname) const;

  ScopeKind kind_;
  // Pages, hosts or domains; for prefixes, hosts with their prefixes. Nothing in it moves: decisions hold views of it.
  std::unordered_map<std::string, std::forward_list<std::string>, Hash, std::equal_to<>> keys_;
};

}  // namespace caddis::scope
