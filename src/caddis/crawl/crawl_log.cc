#include "caddis/crawl/crawl_log.h"

#include <utility>

#include "caddis/commit/commit_group.h"
#include "caddis/crawl/log_entry.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/crawl/visit_result.h"

namespace caddis::crawl {

Result<void> CrawlLog::open(store::StreamSet& streams) { return streams.open_stream(kLogStream, path_); }

void CrawlLog::stage(commit::CommitGroup& group) { group.append(kLogStream, std::exchange(lines_, {})); }

void CrawlLog::on_final(VisitResult& result) {
  for (const LoggedVisit& visited : result.visited) append_log_line(lines_, visited.entry);
}

void CrawlLog::on_deleted(const LoggedVisit& record) { append_log_line(lines_, record.entry); }

}  // namespace caddis::crawl
