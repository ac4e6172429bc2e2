// The scope of a crawl, from all of its settings.
#pragma once

#include <memory>
#include <vector>

#include "caddis/config/settings.h"
#include "caddis/scope/scope.h"
#include "caddis/url/url.h"

namespace caddis::config {

// How the rules of sheets look for seeds.
Result<std::vector<scope::ScopeKind>> seed_kinds_of_sheets(const Settings& settings,
                                                           const scope::ReadFile& read = scope::read_rule_file);
// The scope knows the seeds by these kinds, too.
Result<std::unique_ptr<scope::Scope>> make_scope(const Settings& settings, const std::vector<url::Url>& seeds,
                                                 const scope::ReadFile& read = scope::read_rule_file);

}  // namespace caddis::config
