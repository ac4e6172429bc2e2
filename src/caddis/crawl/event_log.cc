#include "caddis/crawl/event_log.h"

#include <fmt/format.h>

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
  const std::string who = actor_.empty() ? std::string(change) : fmt::format("{} (by {})", change, actor_);
  log_info("crawl", "operator: {}", who);
  tell(CrawlEvent::Source::operated, who);
  committer_.commit_soon();
}

}  // namespace caddis::crawl
