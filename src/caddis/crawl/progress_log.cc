#include "caddis/crawl/progress_log.h"

#include <fmt/format.h>

#include <utility>

#include "caddis/base/time_format.h"
#include "caddis/base/visible.h"
#include "caddis/commit/commit_group.h"
#include "caddis/crawl/store_layout.h"

namespace caddis::crawl {
namespace {

std::string_view word_of(CrawlEvent::Source source) {
  switch (source) {
    case CrawlEvent::Source::operated:
      return "OPERATOR";
    case CrawlEvent::Source::crawl:
    case CrawlEvent::Source::module:
    case CrawlEvent::Source::state:
      return "CRAWL";
    case CrawlEvent::Source::pattern:
      return "PATTERN";
    case CrawlEvent::Source::checkpoint:
      return "CHECKPOINT";
  }
  return "CRAWL";
}

}  // namespace

Result<void> ProgressLog::open(store::StreamSet& streams) { return streams.open_stream(kProgressStream, path_); }

void ProgressLog::stage(commit::CommitGroup& group) { group.append(kProgressStream, std::exchange(lines_, {})); }

void ProgressLog::on_event(const CrawlEvent& event) {
  on_progress(fmt::format("{} {} {}", rfc3339(clock_.wall()), word_of(event.source), event.text));
}

void ProgressLog::on_progress(std::string_view columns) { lines_ += visible(columns) += '\n'; }

}  // namespace caddis::crawl
