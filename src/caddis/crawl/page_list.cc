#include "caddis/crawl/page_list.h"

#include <utility>

#include "caddis/commit/commit_group.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {

Result<void> PageList::open(store::StreamSet& streams) { return streams.open_stream(kPagesStream, path_); }

void PageList::stage(commit::CommitGroup& group) { group.append(kPagesStream, std::exchange(lines_, {})); }

void PageList::on_final(visit::VisitResult& result) { lines_ += result.page_line; }

}  // namespace caddis::crawl
