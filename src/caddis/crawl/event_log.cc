#include "caddis/crawl/event_log.h"

#include <fmt/format.h>

#include "caddis/base/log.h"
#include "caddis/base/time_format.h"
#include "caddis/crawl/committer.h"

namespace caddis::crawl {

void EventLog::add(std::string_view kind, std::string_view text) {
  committer_.add_progress_line(fmt::format("{} {} {}", rfc3339(clock_.wall()), kind, text));
}

void EventLog::add_statistics(std::string_view line) { committer_.add_progress_line(line); }

void EventLog::report(std::string_view what) {
  log_warn("crawl", "{}", what);
  add("CRAWL", what);
  committer_.commit_soon();
}

void EventLog::log_operator_action(std::string_view change) {
  ++operator_actions_;
  log_info("crawl", "operator: {}", change);
  add("OPERATOR", change);
  committer_.commit_soon();
}

}  // namespace caddis::crawl
