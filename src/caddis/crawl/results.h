// The results of a crawl that has ended: reports, the sorted index, the list of pages. All of it is made from what is
// committed, so it can be made again.
#pragma once

#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/crawl/seed_fates.h"

namespace caddis::crawl {

struct CrawlEnd;
struct CrawlState;
struct LaneTotals;
struct ModuleReport;

// The reports alone, as of what is committed; also if not all of it could be.
Result<SeedTally> write_end_reports(CrawlState& state, const CrawlEnd& end, LaneTotals lanes, WallTime now);
// When no visit is in flight any more, and none waits to be committed. Takes its time: if blocking is allowed.
// Returns what became of the seeds.
Result<SeedTally> write_results(CrawlState& state, const CrawlEnd& end, LaneTotals lanes,
                                const std::vector<ModuleReport>& of_modules, WallTime now);
// A report tells of an end: a crawl that goes on and dies has none.
void retract_results(CrawlState& state);

}  // namespace caddis::crawl
