// The seeds of a crawl, for rules that ask if a URL belongs to one of them.
//
// `find` may be called from any thread, also while another adds. The seeds of the start are read without a lock, by the
// kinds of the start.
#pragma once

#include <atomic>
#include <map>
#include <shared_mutex>
#include <string_view>
#include <vector>

#include "caddis/scope/scope_settings.h"
#include "caddis/scope/seeds.h"
#include "caddis/url/url.h"

namespace caddis::scope {

class SeedBook {
 public:
  // Seeds are found by these kinds alone: an index is made for each.
  SeedBook(const std::vector<ScopeKind>& kinds, const std::vector<url::Url>& seeds);
  // A seed that was found in the course of the crawl.
  void add(const url::Url& seed);
  // Another kind, by which seeds are found from now on.
  void add_kind(ScopeKind kind, const std::vector<url::Url>& seeds);
  bool knows(ScopeKind kind) const;
  // Returns the page, prefix ("example.com/dir/"), host or domain of a seed that `url` belongs to; empty if there is
  // none. The view lives as long as the book.
  std::string_view find(ScopeKind kind, const url::Url& url) const;

 private:
  std::map<ScopeKind, SeedIndex> of_start_;
  // Hardly ever anything, and the flag tells without touching the lock.
  std::atomic<bool> has_added_ = false;
  mutable std::shared_mutex mutex_;
  std::map<ScopeKind, SeedIndex> added_;
  std::vector<url::Url> later_;  // all that were added
};

}  // namespace caddis::scope
