// The effective settings that one thread has looked up: a look-up takes no lock, but for the first one of each set of
// sheets.
#pragma once

#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "caddis/config/settings_resolver.h"
#include "caddis/url/url.h"

namespace caddis::config {

// Belongs to one thread. What it returns lives as long as the resolver.
class SettingsCache {
 public:
  explicit SettingsCache(std::shared_ptr<const SettingsResolver> resolver) : resolver_(std::move(resolver)) {}

  const EffectiveSettings& of(const url::Url& url) {
    return resolver_->sheets() == nullptr ? resolver_->of_crawl() : look_up(resolver_->sheets()->of(url));
  }
  const EffectiveSettings& of_host(std::string_view host) {
    return resolver_->sheets() == nullptr ? resolver_->of_crawl() : look_up(resolver_->sheets()->of_host(host));
  }
  const SettingsResolver& resolver() const { return *resolver_; }
  std::shared_ptr<const SettingsResolver> shared_resolver() const { return resolver_; }

 private:
  const EffectiveSettings& look_up(const scope::SheetSet& set) {
    if (set.empty()) return resolver_->of_crawl();
    const EffectiveSettings*& effective = known_[set];
    if (effective == nullptr) effective = &resolver_->of(set);
    return *effective;
  }

  std::shared_ptr<const SettingsResolver> resolver_;
  std::unordered_map<scope::SheetSet, const EffectiveSettings*, SettingsResolver::SheetSetHash> known_;
};

}  // namespace caddis::config
