#include "caddis/scope/seed_book.h"

namespace caddis::scope {

SeedBook::SeedBook(const std::vector<ScopeKind>& kinds, const std::vector<url::Url>& seeds) {
  for (const ScopeKind kind : kinds) add_kind(kind);
  for (const url::Url& seed : seeds) add(seed);
}

void SeedBook::add(const url::Url& seed) {
  ended_.keep(seed.without_fragment());
  for (const auto& index : indexes_)
    if (SeedIndex* const made = index.load(std::memory_order_acquire)) made->add(seed);
}

void SeedBook::leave(const url::Url& seed) {
  ended_.propose(seed.without_fragment());
  for (const auto& index : indexes_)
    if (SeedIndex* const made = index.load(std::memory_order_acquire)) made->leave(seed);
}

void SeedBook::note_ended(const url::Url& seed) { ended_.note_gone(seed.without_fragment()); }

void SeedBook::keep(const url::Url& seed) {
  ended_.keep(seed.without_fragment());
  for (const auto& index : indexes_)
    if (SeedIndex* const made = index.load(std::memory_order_acquire)) made->keep(seed);
}

void SeedBook::settle() {
  ended_.settle();
  for (const auto& index : indexes_)
    if (SeedIndex* const made = index.load(std::memory_order_acquire)) made->settle();
}

void SeedBook::reserve(size_t more) {
  for (const auto& index : indexes_)
    if (SeedIndex* const made = index.load(std::memory_order_acquire)) made->reserve(more);
}

void SeedBook::add_kind(ScopeKind kind) {
  const std::lock_guard lock(mutex_);
  if (knows(kind)) return;
  owned_.push_back(std::make_unique<SeedIndex>(kind));
  indexes_[static_cast<size_t>(kind)].store(owned_.back().get(), std::memory_order_release);
}

std::string_view SeedBook::find(ScopeKind kind, const url::Url& url) const {
  const SeedIndex* const index = index_of(kind);
  if (index == nullptr) return {};
  const std::string_view found = index->find(url);
  return found.empty() && widening_.matches(url) ? url.host() : found;
}

}  // namespace caddis::scope
