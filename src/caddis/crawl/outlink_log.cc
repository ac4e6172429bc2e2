#include "caddis/crawl/outlink_log.h"

#include <utility>

#include "caddis/commit/commit_group.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {

Result<void> OutlinkLog::open(store::StreamSet& streams) { return streams.open_stream(kOutlinkStream, path_); }

void OutlinkLog::stage(commit::CommitGroup& group) { group.append(kOutlinkStream, std::exchange(lines_, {})); }

void OutlinkLog::on_final(visit::VisitResult& result) { lines_ += result.outlink_lines; }

}  // namespace caddis::crawl
