// The results of a crawl that has ended: reports, the sorted index, the list of pages. All of it is made from what is
// committed, so it can be made again.
#pragma once

#include <vector>

#include "caddis/base/error.h"
#include "caddis/crawl/module_listeners.h"
#include "caddis/visit/pipeline.h"

namespace caddis::crawl {

struct CrawlEnd;
struct CrawlState;

// When no visit is in flight any more, and none waits to be committed. Takes its time: if blocking is allowed.
Result<void> write_results(CrawlState& state, const CrawlEnd& end, std::vector<visit::StepReport> steps,
                           const std::vector<ModuleListeners::Report>& of_modules);
// A report tells of an end: a crawl that goes on and dies has none.
void retract_results(CrawlState& state);

}  // namespace caddis::crawl
