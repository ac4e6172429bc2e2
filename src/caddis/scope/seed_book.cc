#include "caddis/scope/seed_book.h"

#include <mutex>

namespace caddis::scope {

SeedBook::SeedBook(const std::vector<ScopeKind>& kinds, const std::vector<url::Url>& seeds) {
  for (const ScopeKind kind : kinds) {
    of_start_.try_emplace(kind, kind);
    found_.try_emplace(kind, kind);
  }
  for (auto& [kind, index] : of_start_)
    for (const url::Url& seed : seeds) index.add(seed);
}

void SeedBook::add(const url::Url& seed) {
  const std::unique_lock lock(mutex_);
  for (auto& [kind, index] : found_) index.add(seed);
  has_found_.store(true, std::memory_order_release);
}

std::string_view SeedBook::find(ScopeKind kind, const url::Url& url) const {
  const auto index = of_start_.find(kind);
  if (index == of_start_.end()) return {};
  const std::string_view found = index->second.find(url);
  if (!found.empty() || !has_found_.load(std::memory_order_acquire)) return found;
  const std::shared_lock lock(mutex_);
  return found_.at(kind).find(url);
}

}  // namespace caddis::scope
