#include "caddis/crawl/crawl_log.h"

#include <utility>

#include "caddis/commit/commit_group.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/visit/log_entry.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {

Result<void> CrawlLog::open(store::StreamSet& streams) { return streams.open_stream(kLogStream, path_); }

void CrawlLog::stage(commit::CommitGroup& group) { group.append(kLogStream, std::exchange(lines_, {})); }

void CrawlLog::on_final(visit::VisitResult& result) {
  for (const visit::LoggedVisit& visited : result.visited) visit::append_log_line(lines_, visited.entry);
}

void CrawlLog::on_deleted(const visit::LoggedVisit& record) { visit::append_log_line(lines_, record.entry); }

}  // namespace caddis::crawl
