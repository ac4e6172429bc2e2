// Which settings may change while a crawl runs. Pure.
#pragma once

#include <vector>

#include "caddis/base/error.h"
#include "caddis/settings/sections.h"

namespace caddis::crawl {

// ErrorCode::config if one of the changes has to wait, for a resume or for another crawl; it says which and what to do.
Result<void> check_live_changes(const std::vector<settings::Change>& changes);
// Whether a running crawl follows a change of that setting.
bool is_live(std::string_view section, const settings::Field& field);

}  // namespace caddis::crawl
