// Fetches an ordinary URL, and says what the outcome means for the frontier.

#include <optional>
#include <utility>

#include "caddis/base/fetch_status.h"
#include "caddis/base/log.h"
#include "caddis/fetch/fetcher.h"
#include "caddis/url/public_form.h"
#include "caddis/visit/conditional.h"
#include "caddis/visit/fetch_counts.h"
#include "caddis/visit/fetched_line.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/no_room.h"
#include "caddis/visit/retry_after.h"
#include "caddis/visit/signed_fetch.h"
#include "caddis/visit/steps.h"
#include "caddis/visit/url_request.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

frontier::Verdict verdict_of(const fetch::FetchOutcome& outcome) {
  if (outcome.exchange) {
    // The server says itself that it is too much now; half a body is worth another try.
    if (is_overload(outcome.status)) return frontier::Verdict::retry_url;
    if (outcome.exchange->truncated == http::Truncated::disconnect) return frontier::Verdict::retry_url;
    return frontier::Verdict::settled;
  }
  if (outcome.is_transient) return frontier::Verdict::retry_url;
  const StatusInfo* const info = find_status(outcome.status);
  if (info == nullptr || info->group != StatusGroup::retry_later) return frontier::Verdict::settled;
  return info->is_of_host ? frontier::Verdict::host_failed : frontier::Verdict::retry_url;
}

class FetchStep final : public Step {
 public:
  explicit FetchStep(LaneTools& tools) : tools_(tools) {}
  std::string_view name() const override { return "fetch"; }
  bool waits() const override { return true; }
  void end() override { tools_.fetchers.close_idle(); }
  void report_parts(std::vector<StepPart>& parts) const override { counts_.report(parts); }

  aio::Task<Result<Next>> run_waiting(Visit& visit) override {
    const frontier::Lease& lease = visit.lease();
    fetch::FetchRequest request = tools_.request_for(*visit.url(), lease.address, visit);
    if (lacks_address(request)) {
      visit.give_back();
      co_return Next::finish();
    }
    if (const auto wanted = UrlRequest::of(lease.candidate)) ask_as_wanted(*wanted, visit, request);
    if (const auto via = url::Url::parse(lease.candidate.via)) request.via = *via;
    if (visit.guards_body())
      request.wants_body = [&visit](const http::ResponseHead& head, int64_t length) {
        return visit.wants_body(head, length);
      };
    if (!request.body) ask_if_changed(tools_, visit, request);
    tools_.pulse.enter(lease.id, "connect");
    visit.begin_fetch();
    fetch::FetchOutcome outcome = co_await fetch_signed(tools_, visit, std::move(request), visit.site().fetch);
    co_return settle(visit, std::move(outcome));
  }

 private:
  // As the operator wants it.
  static void ask_as_wanted(const UrlRequest& wanted, Visit& visit, fetch::FetchRequest& request) {
    for (const std::string& line : wanted.headers)
      if (const auto header = fetch::parse_header(line)) request.headers.push_back(*header);
    if (wanted.method == "GET") return;
    visit.document.sent = {wanted.method, wanted.key_body()};
    request.body.emplace();
    request.body->method = wanted.method;
    request.body->content_type = wanted.content_type;
    request.body->body = wanted.body;
  }

  // Since the lease was made, settings have taken away the proxy that would have found it.
  static bool lacks_address(const fetch::FetchRequest& request) {
    return request.address.empty() && request.proxy == nullptr && request.url.scheme() != "file";
  }

  Next settle(Visit& visit, fetch::FetchOutcome outcome) {
    if (visit.end_fetch()) return settle_ended(visit, std::move(outcome));
    if (tools_.has_cut_short(outcome)) {
      visit.give_back();
      return Next::finish();
    }
    const bool no_room = outcome.no_room && visit.lease().attempt >= kTriesForRoom;
    if (no_room) {
      log_error("crawl", "gives up {}: {}", url::public_form(*visit.url()), outcome.error);
    }
    frontier::Disposition& disposition = visit.result.disposition;
    disposition.verdict = no_room ? frontier::Verdict::settled : verdict_of(outcome);
    disposition.local_failure = outcome.status == status::kSevereError && !no_room;
    record_fetch(visit, std::move(outcome));
    counts_.add(visit);
    counts_.add(tools_.take_cookies(visit));
    visit.line->entry.facts.has_no_room = no_room;
    note_unchanged(visit);
    return visit.document.exchange() != nullptr ? settle_answered(visit) : settle_unanswered(visit);
  }

  static Next settle_ended(Visit& visit, fetch::FetchOutcome outcome) {
    const std::optional<http::Exchange> ended = std::exchange(outcome.exchange, std::nullopt);
    outcome.status = status::kInterrupted;
    outcome.error = "ended by the operator";
    record_fetch(visit, std::move(outcome));
    if (ended) note_flaws(visit.line->entry.facts, *ended);
    return Next::finish();
  }

  static Next settle_unanswered(Visit& visit) {
    if (visit.document.outcome->status == status::kAddressRefused) visit.result.disposition.touched_host = false;
    return Next::finish();
  }

  // Only the last try of a URL is kept.
  Next settle_answered(Visit& visit) const {
    frontier::Disposition& disposition = visit.result.disposition;
    const frontier::PolitenessSettings& politeness = visit.host().host->politeness;
    if (is_overload(visit.document.outcome->status))
      disposition.retry_after =
          retry_after(visit.document.exchange()->head, tools_.loop.clock().wall(), politeness.max_retry_delay);
    const auto retries = static_cast<uint64_t>(politeness.url_retries);
    const bool is_last = disposition.verdict == frontier::Verdict::settled || visit.lease().attempt > retries;
    return is_last ? Next::on() : Next::finish();
  }

  LaneTools& tools_;
  FetchCounts counts_;
};

}  // namespace

std::unique_ptr<Step> make_fetch_step(LaneTools& tools) { return std::make_unique<FetchStep>(tools); }

}  // namespace caddis::visit
