#include "caddis/crawl/uri_error_log.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "caddis/base/time_format.h"
#include "caddis/base/visible.h"
#include "caddis/commit/commit_group.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {

Result<void> UriErrorLog::open(store::StreamSet& streams) { return streams.open_stream(kUriErrorStream, path_); }

void UriErrorLog::stage(commit::CommitGroup& group) { group.append(kUriErrorStream, std::exchange(lines_, {})); }

void UriErrorLog::on_final(visit::VisitResult& result) {
  if (!settings_.uri_errors || result.bad_links.empty()) return;
  const std::string time = rfc3339_millis(clock_.wall());
  const std::string_view page = result.visited.empty() ? "n/a" : std::string_view(result.visited.back().entry.url);
  for (const extract::BadLink& link : result.bad_links)
    fmt::format_to(std::back_inserter(lines_), "{} {} \"{}\" {}\n", time, page, visible(link.why),
                   visible(link.written));
}

}  // namespace caddis::crawl
