#include "caddis/crawl/follow_sheets.h"

namespace caddis::crawl {

void follow_sheets(frontier::Frontier::Options& options, std::optional<config::SettingsCache>& settings) {
  const config::SettingsResolver& resolver = settings->resolver();
  options.reach = resolver.reach();
  options.sheet_quotas = resolver.quotas();
  options.rules_of = [&settings](const std::string& host) {
    const config::EffectiveSettings& effective = settings->of_host(host);
    // Rules of the crawl as a whole know of no login.
    const bool has_own = !effective.sheets.empty() || !effective.host->login.key.empty();
    return has_own ? effective.host : nullptr;
  };
}

}  // namespace caddis::crawl
