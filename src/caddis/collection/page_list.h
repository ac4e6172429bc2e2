// The list of pages of a collection, pages/pages.jsonl: a line that describes it, then a JSON object a page, as in WACZ
// files ("json-pages-1.0").
#pragma once

#include <string>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::collection {

// Rewrites the list from those of all launches, oldest first.
Result<void> rebuild_page_list(io::Files& files, const std::string& collection);

}  // namespace caddis::collection
