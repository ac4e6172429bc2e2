// Captures that stand for a URL of which there is none: those of the same path whose queries make no other difference
// (fuzzy.h).
#pragma once

#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/cdx/capture.h"
#include "caddis/cdx/capture_index.h"
#include "caddis/replay/fuzzy.h"

namespace caddis::replay {

// Up to 12, nearest to `timestamp` first. `is_page`: files whose query is free are not looked for. Reads a bounded part
// of the index.
Result<std::vector<cdx::Capture>> find_alike(cdx::CaptureIndex& index, const FuzzyRules& rules, std::string_view url,
                                             std::string_view timestamp, bool is_page);

}  // namespace caddis::replay
