#include "caddis/scope/seed_book.h"

#include <mutex>

namespace caddis::scope {

SeedBook::SeedBook(const std::vector<ScopeKind>& kinds, const std::vector<url::Url>& seeds) {
  for (const ScopeKind kind : kinds) {
    of_start_.try_emplace(kind, kind);
    added_.try_emplace(kind, kind);
  }
  for (auto& [kind, index] : of_start_)
    for (const url::Url& seed : seeds) index.add(seed);
}

void SeedBook::add(const url::Url& seed) {
  const std::unique_lock lock(mutex_);
  for (auto& [kind, index] : added_) index.add(seed);
  later_.push_back(seed);
  has_added_.store(true, std::memory_order_release);
}

void SeedBook::add_kind(ScopeKind kind, const std::vector<url::Url>& seeds) {
  SeedIndex index(kind);
  for (const url::Url& seed : seeds) index.add(seed);
  const std::unique_lock lock(mutex_);
  for (const url::Url& seed : later_) index.add(seed);
  added_.try_emplace(kind, std::move(index));
  has_added_.store(true, std::memory_order_release);
}

bool SeedBook::knows(ScopeKind kind) const {
  const std::shared_lock lock(mutex_);
  return added_.contains(kind);
}

std::string_view SeedBook::find(ScopeKind kind, const url::Url& url) const {
  if (const auto index = of_start_.find(kind); index != of_start_.end())
    if (const std::string_view found = index->second.find(url); !found.empty()) return found;
  if (!has_added_.load(std::memory_order_acquire)) return {};
  const std::shared_lock lock(mutex_);
  const auto index = added_.find(kind);
  return index == added_.end() ? std::string_view() : index->second.find(url);
}

}  // namespace caddis::scope
