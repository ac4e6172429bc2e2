#include "caddis/crawl/runtime_log.h"

#include <utility>

#include "caddis/base/fetch_status.h"
#include "caddis/commit/commit_group.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/visit/log_entry.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {

Result<void> RuntimeLog::open(store::StreamSet& streams) { return streams.open_stream(kRuntimeStream, path_); }

void RuntimeLog::stage(commit::CommitGroup& group) { group.append(kRuntimeStream, std::exchange(lines_, {})); }

void RuntimeLog::on_final(visit::VisitResult& result) {
  for (const visit::LoggedVisit& visited : result.visited) {
    const FetchStatus status = visited.entry.status;
    if (status == status::kRuntimeException || status == status::kSevereError)
      visit::append_error_line(lines_, visited.entry, result.reason);
  }
}

void RuntimeLog::on_retry(const visit::VisitResult& result) {
  if (result.disposition.local_failure && !result.visited.empty())
    visit::append_error_line(lines_, result.visited.back().entry, result.reason);
}

}  // namespace caddis::crawl
