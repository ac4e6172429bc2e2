// Which settings may change while a crawl runs. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/settings/sections.h"

namespace caddis::crawl {

// Why a change has to wait, for a resume or for another crawl, and what to do; nothing if a running crawl follows it.
std::optional<std::string> refusal_of(const settings::Change& change);
// ErrorCode::config with all refusals, if there are any.
Result<void> check_live_changes(const std::vector<settings::Change>& changes);
// Whether a running crawl follows a change of that setting.
bool is_live(std::string_view section, const settings::Field& field);

}  // namespace caddis::crawl
