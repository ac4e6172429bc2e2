// The walk over the extractors. Internal to extract.
#pragma once

#include "caddis/extract/extract.h"

namespace caddis::extract {

// `depth`: how many documents this one is in (MHTML).
Extracted extract_within(const Document& document, const Plan& plan, unsigned depth);

}  // namespace caddis::extract
