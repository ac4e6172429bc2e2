// Why a crawl is as slow as it is, in one screen.
#pragma once

#include "asked_crawl.h"
#include "caddis/base/error.h"
#include "frontier_options.h"

namespace caddis::cli {

// Prints what the crawl does, what its queues wait for, and the largest, the slowest and those with most failures.
Result<void> print_overview(AskedCrawl& crawl, const FrontierOptions& options);

}  // namespace caddis::cli
