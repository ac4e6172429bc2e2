#include "caddis/crawl/follow_sheets.h"

namespace caddis::crawl {

void follow_sheets(frontier::Frontier::Options& options, std::optional<config::SettingsCache>& settings) {
  const config::SettingsResolver& resolver = settings->resolver();
  options.reach = resolver.reach();
  options.sheet_quotas = resolver.quotas();
  options.rules_of = [&settings](const std::string& host) {
    const config::EffectiveSettings& effective = settings->of_host(host);
    return effective.sheets.empty() ? nullptr : effective.host;
  };
}

}  // namespace caddis::crawl
