// The visit of an ordinary URL.

#include <algorithm>

#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/crawl/lane.h"
#include "caddis/url/public_form.h"

namespace caddis::crawl {
namespace {

// What the status of a fetch means for the frontier.
frontier::Verdict verdict_of(const fetch::FetchOutcome& outcome) {
  if (outcome.exchange) {
    // The server says itself that it is too much now; half a body is worth another try.
    if (is_overload(outcome.status)) return frontier::Verdict::retry_url;
    if (outcome.exchange->truncated == http::Truncated::disconnect) return frontier::Verdict::retry_url;
    return frontier::Verdict::settled;
  }
  switch (outcome.status) {
    case status::kConnectFailed:
    case status::kTlsFailed:
      return frontier::Verdict::host_failed;
    case status::kConnectLost:
    case status::kTimeout:
    case status::kSevereError:  // our own disk: not the URL's fault
      return frontier::Verdict::retry_url;
    default:
      return frontier::Verdict::settled;
  }
}

}  // namespace

fetch::FetchRequest Lane::request_for(const url::Url& url, const frontier::Lease& lease,
                                      const config::EffectiveSettings& of_host) {
  fetch::FetchRequest request{url, std::nullopt, lease.address, {}};
  request.allowed = &sites_.of_host(url.hostname()).fetch.allow_addresses;
  if (of_host.user_agent != context_.user_agent) request.headers.push_back({"User-Agent", of_host.user_agent});
  return request;
}

aio::Task<VisitResult> Lane::visit_url(frontier::Lease lease) {
  VisitResult finished;
  finished.disposition.lease = std::move(lease);
  const frontier::Lease& what = finished.disposition.lease;
  const auto url = url::Url::parse(what.candidate.url);
  if (!url || what.given_up != 0) {
    fetch::FetchOutcome none;
    none.status = url ? what.given_up : status::kUnfetchable;
    none.started = loop_.clock().wall();
    if (url) take_failure(finished, *url, none);
    finished.disposition.touched_host = false;
    co_return finished;
  }
  begin_step(what.id, "begin");
  const config::EffectiveSettings& of_host = sites_.of_host(what.host);
  const std::string path = std::string(url->pathname()) + std::string(url->search());
  if (what.robots) {
    const robots::Verdict allowed = what.robots->verdict(of_host.product_token, path);
    if (!allowed.allowed) {
      fetch::FetchOutcome none;
      none.status = status::kRobotsPrecluded;
      none.started = loop_.clock().wall();
      take_failure(finished, *url, none);
      finished.disposition.touched_host = false;
      co_return finished;
    }
  }

  fetch::FetchRequest request = request_for(*url, what, of_host);
  request.ticket = what.id;
  if (const auto via = url::Url::parse(what.candidate.via)) request.via = *via;
  running_.insert(what.id);
  steps_.enter(what.id, "connect");
  const config::EffectiveSettings& site = sites_.of(*url);
  fetch::FetchOutcome outcome = co_await fetcher_.fetch(std::move(request), site.fetch);
  running_.erase(what.id);
  if (ended_.erase(what.id) > 0) {
    outcome.exchange.reset();
    outcome.status = status::kInterrupted;
    outcome.error = "ended by the operator";
    take_failure(finished, *url, outcome);
    co_return finished;
  }
  const bool cut = outcome.exchange && outcome.exchange->truncated == http::Truncated::disconnect;
  if (aborted_ && (!outcome.exchange || cut)) co_return not_tried(std::move(finished.disposition.lease));

  const bool no_room = outcome.no_room && what.attempt >= kTriesForRoom;
  if (no_room) {
    outcome.annotations.emplace_back(kNoRoom);
    log_error("crawl", "gives up {}: {}", url::public_form(*url), outcome.error);
  }
  finished.disposition.verdict = no_room ? frontier::Verdict::settled : verdict_of(outcome);
  finished.disposition.local_failure = outcome.status == status::kSevereError && !no_room;
  const frontier::PolitenessSettings& politeness = of_host.host->politeness;
  const auto retries = static_cast<uint64_t>(politeness.url_retries);
  const bool is_last = finished.disposition.verdict == frontier::Verdict::settled || what.attempt > retries;
  if (outcome.exchange) {
    take_exchange(finished, *url, outcome, is_last);
    if (is_overload(outcome.status))
      finished.disposition.retry_after = retry_after(*outcome.exchange, politeness.max_retry_delay);
  } else {
    take_failure(finished, *url, outcome);
    if (outcome.status == status::kAddressRefused) finished.disposition.touched_host = false;
  }
  co_return finished;
}

std::optional<Duration> Lane::retry_after(const http::Exchange& exchange, Duration most) const {
  const auto field = exchange.head.find("retry-after");
  if (!field) return std::nullopt;
  // RFC 9110, 10.2.3: seconds, or a date.
  Duration wait{};
  constexpr int64_t kLongest = 1'000'000;
  const std::string_view text = trim(*field);
  if (const auto seconds = parse_int(text)) {
    wait = std::chrono::seconds(std::clamp<int64_t>(*seconds, 0, kLongest));
  } else if (!text.empty() && std::ranges::all_of(text, is_digit)) {
    wait = std::chrono::seconds(kLongest);  // more than a number holds
  } else if (const auto date = parse_http_date(*field)) {
    // A date may be further away than a Duration reaches, on either side.
    using Distance = WallTime::duration;
    const Distance until = *date - loop_.clock().wall();
    wait = std::clamp(until, Distance(0), std::max(Distance(0), std::chrono::duration_cast<Distance>(most)));
  } else {
    return std::nullopt;
  }
  return std::min(wait, most);
}

}  // namespace caddis::crawl
