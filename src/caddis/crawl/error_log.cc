#include "caddis/crawl/error_log.h"

#include <utility>

#include "caddis/commit/commit_group.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/visit/log_entry.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {

Result<void> ErrorLog::open(store::StreamSet& streams) { return streams.open_stream(kErrorStream, path_); }

void ErrorLog::stage(commit::CommitGroup& group) { group.append(kErrorStream, std::exchange(lines_, {})); }

void ErrorLog::on_retry(const visit::VisitResult& result) {
  if (!result.visited.empty()) visit::append_error_line(lines_, result.visited.back().entry, result.reason);
}

}  // namespace caddis::crawl
