// A frontier that follows the sheets of a crawl.
#pragma once

#include <optional>

#include "caddis/config/settings_cache.h"
#include "caddis/frontier/frontier.h"

namespace caddis::crawl {

// Lets a frontier follow the sheets; `settings` must outlive it, and may be filled anew.
void follow_sheets(frontier::Frontier::Options& options, std::optional<config::SettingsCache>& settings);

}  // namespace caddis::crawl
