// Captures that stand for a URL of which there is none: those of the same path whose queries make no other difference
// (fuzzy.h). A POST stands for no GET, nor the other way round. Of answers to a POST (or PUT, PATCH) come first those to which
// most of the same fields were sent; if none of them is the same, the answer that was got to anything, if it is the only one.
#pragma once

#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/cdx/capture.h"
#include "caddis/cdx/capture_index.h"
#include "caddis/replay/fuzzy.h"

namespace caddis::replay {

// Up to 12, nearest to `timestamp` first. `posted_url`: with what is sent behind it, as it is indexed (posted.h); empty for a
// GET. `is_page`: files whose query is free are not looked for. Reads a bounded part of the index.
Result<std::vector<cdx::Capture>> find_alike(cdx::CaptureIndex& index, const FuzzyRules& rules, std::string_view url,
                                             std::string_view posted_url, std::string_view timestamp, bool is_page);

}  // namespace caddis::replay
