// What a person wants to know when a crawl has ended: what was captured, what was not and why, and where things are.
#pragma once

#include <string>

#include "caddis/crawl/engine.h"

namespace caddis::crawl {

// Several lines, for a terminal or a log.
std::string summary(const Engine& engine, const CrawlEnd& end);

}  // namespace caddis::crawl
