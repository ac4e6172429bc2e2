#include "caddis/crawl/stop_reason.h"

namespace caddis::crawl {
namespace {

std::string reason_of_crawl(const ReportFacts& facts) {
  return facts.is_over && !facts.ended_by.empty() ? facts.ended_by : "waiting";
}

}  // namespace

std::string stop_reason(const FetchTally& tally, const Waiting* waiting, bool is_known, const ReportFacts& facts) {
  const GivenUp& given_up = tally.given_up;
  if (waiting != nullptr && waiting->urls > 0) {
    if (waiting->why == "operator" || waiting->why == kRetiredBySetting) return waiting->why;
    if (!waiting->why.empty()) return "quota:" + waiting->why;
    return reason_of_crawl(facts);
  }
  // The name says which of the two was met last.
  if (given_up.quota > 0) return given_up.reason.starts_with("max-") ? "quota" : "quota:" + given_up.reason;
  if (given_up.limit > 0) return "limit:" + given_up.reason;
  if (given_up.by_people > 0) return "operator";
  if (!is_known && facts.frontier.queued > 0) return reason_of_crawl(facts);
  if (tally.urls == 0 && given_up.robots > 0) return "robots";
  if (tally.urls == 0 && tally.failed > 0) return "failed";
  return facts.is_over ? "finished" : "idle";
}

}  // namespace caddis::crawl
