#include "caddis/crawl/settings_snapshot.h"

namespace caddis::crawl {

Result<std::shared_ptr<const SettingsSnapshot>> make_snapshot(config::Settings settings, const scope::SiteRules& rules,
                                                              WallTime now, const scope::ReadFile& read) {
  auto snapshot = std::make_shared<SettingsSnapshot>();
  snapshot->settings = std::move(settings);
  TRY(snapshot->keys, config::key_policies(snapshot->settings.canonicalization));
  snapshot->memory = memory_shares(snapshot->settings);
  TRY(snapshot->resolver, config::SettingsResolver::create(snapshot->settings, rules, now, read));
  return snapshot;
}

}  // namespace caddis::crawl
