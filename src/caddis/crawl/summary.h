// What a person wants to know when a crawl has ended: what was captured, what was not and why, and where things are.
#pragma once

#include <string>

namespace caddis::crawl {

class Crawl;
struct CrawlEnd;

// Several lines, for a terminal or a log.
std::string summary(const Crawl& crawl, const CrawlEnd& end);

// It ended at once, since all that it had begun with was done: by the crawl whose checkpoint or recovery log it took
// over.
bool had_nothing_to_do(const Crawl& crawl, const CrawlEnd& end);

}  // namespace caddis::crawl
