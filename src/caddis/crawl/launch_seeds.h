// The seeds among the settings of a crawl, and the file of precedences that they name.
#pragma once

#include <memory>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/config/seeds.h"
#include "caddis/config/settings.h"
#include "caddis/frontier/identity.h"
#include "caddis/frontier/precedences.h"

namespace caddis::crawl {

// The seeds of the settings; those that cannot be used are put into `problems`.
std::vector<url::Url> usable_seeds(const config::CrawlSettings& settings, config::SeedProblems& problems);
// ErrorCode::config if nothing is left to crawl, and there are no `others` either.
Result<void> check_has_seeds(const std::vector<url::Url>& seeds, bool others, const config::SeedProblems& problems);

// Null if no file is named.
Result<std::shared_ptr<const frontier::Precedences>> load_precedences(const config::Settings& settings,
                                                                      io::Files& files,
                                                                      const frontier::Identity& identity);

}  // namespace caddis::crawl
