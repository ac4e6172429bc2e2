#include "caddis/crawl/event_log.h"

#include "caddis/base/log.h"
#include "caddis/commit/committer.h"

namespace caddis::crawl {

void EventLog::report(CrawlEvent::Source source, std::string_view what) {
  log_warn("crawl", "{}", what);
  tell(source, what);
  committer_.commit_soon();
}

void EventLog::log_operator_action(std::string_view change) {
  ++operator_actions_;
  log_info("crawl", "operator: {}", change);
  tell(CrawlEvent::Source::operated, change);
  committer_.commit_soon();
}

}  // namespace caddis::crawl
