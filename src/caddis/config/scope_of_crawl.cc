#include "caddis/config/scope_of_crawl.h"

namespace caddis::config {

Result<std::vector<scope::ScopeKind>> seed_kinds_of_sheets(const Settings& settings, const scope::ReadFile& read) {
  std::vector<scope::ScopeKind> kinds;
  for (const settings::Sheet& sheet : settings.sheets) {
    if (!sheet.values.touches(settings::schema_of<scope::ScopeSettings>())) continue;
    scope::ScopeSettings alone = settings.scope;
    sheet.values.lay_over({settings::section(alone)});
    TRY(const auto rules, scope::SiteRules::create(alone, {}, read));
    for (const scope::ScopeKind kind : rules.list->seed_kinds()) kinds.push_back(kind);
  }
  return kinds;
}

Result<std::unique_ptr<scope::Scope>> make_scope(const Settings& settings, const std::vector<url::Url>& seeds,
                                                 const scope::ReadFile& read) {
  TRY(const auto kinds, seed_kinds_of_sheets(settings, read));
  return scope::Scope::create(settings.scope, seeds, kinds, read);
}

}  // namespace caddis::config
