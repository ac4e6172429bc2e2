// The scope of a crawl, from all of its settings.
#pragma once

#include <memory>
#include <vector>

#include "caddis/config/settings.h"
#include "caddis/scope/scope.h"
#include "caddis/url/url.h"

namespace caddis::config {

// Rules of sheets look for seeds by kinds of their own: the scope knows the seeds by these, too.
Result<std::unique_ptr<scope::Scope>> make_scope(const Settings& settings, const std::vector<url::Url>& seeds);

}  // namespace caddis::config
