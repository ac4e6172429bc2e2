#include "caddis/scope/rules.h"

namespace caddis::scope {
namespace {

using List = std::vector<std::string> ScopeSettings::*;
using Compiled = std::shared_ptr<const PatternList> SiteRules::*;

Result<void> compile(SiteRules& rules, std::string_view name, List list, Compiled compiled,
                     const std::vector<const SiteRules*>& like) {
  for (const SiteRules* other : like) {
    if (other->settings.*list != rules.settings.*list) continue;
    rules.*compiled = other->*compiled;
    return {};
  }
  TRY(PatternList made, PatternList::create(name, rules.settings.*list));
  rules.*compiled = std::make_shared<const PatternList>(std::move(made));
  return {};
}

}  // namespace

Result<SiteRules> SiteRules::create(const ScopeSettings& settings, const std::vector<const SiteRules*>& like) {
  SiteRules rules{settings, nullptr, nullptr, nullptr};
  TRY_VOID(compile(rules, "include", &ScopeSettings::include, &SiteRules::include, like));
  TRY_VOID(compile(rules, "exclude", &ScopeSettings::exclude, &SiteRules::exclude, like));
  TRY_VOID(compile(rules, "useless-paths", &ScopeSettings::useless_paths, &SiteRules::useless, like));
  return rules;
}

}  // namespace caddis::scope
