// The visit of a robots.txt: fetched along its redirects, each of which is archived, and judged once (RFC 9309, 2.3.1).

#include <algorithm>

#include "caddis/base/fetch_status.h"
#include "caddis/base/log.h"
#include "caddis/fetch/decoded_body.h"
#include "caddis/frontier/delays.h"
#include "caddis/robots/policy.h"
#include "caddis/visit/fetch_counts.h"
#include "caddis/visit/fetched_line.h"
#include "caddis/visit/hop_fetch.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/retry_after.h"
#include "caddis/visit/steps.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

constexpr int kRedirects = 5;  // RFC 9309, 2.3.1.2
constexpr size_t kMostRead = 512 * 1024;
static_assert(kMostRead >= robots::Robots::kMaxText);

// How far the redirects have led.
struct RobotsChain {
  int redirects = 0;
};

RobotsChain& chain_of(Visit& visit) {
  RobotsChain* chain = visit.slots.find<RobotsChain>();
  return chain != nullptr ? *chain : visit.slots.put(RobotsChain());
}

// Takes what holds for the origin from now on into the disposition, parsed.
void learn_robots(Visit& visit, WallTime now, std::string text) {
  const config::EffectiveSettings& host = visit.host();
  frontier::RobotsText learned;
  learned.expires = now + std::chrono::duration_cast<std::chrono::microseconds>(host.robots.validity);
  if (host.robots.policy == robots::RobotsPolicy::custom) {
    // Its crawl delay counts, too.
    learned.text = host.robots.custom_text;
    learned.parsed = host.robots.custom;
  } else {
    learned.parsed = std::make_shared<const robots::Robots>(robots::Robots::parse(text));
    learned.text = std::move(text);
  }
  visit.result.disposition.robots = std::move(learned);
}

// A file that cannot be reached now forbids everything (2.3.1.4). After all tries the settings may say otherwise.
void robots_unreachable(Visit& visit, WallTime now, std::string reason) {
  const config::EffectiveSettings& host = visit.host();
  const auto tries = static_cast<uint64_t>(host.host->politeness.host_failures);
  const bool allow = host.robots.unavailable == robots::WhenUnavailable::allow;
  if (allow && visit.lease().attempt >= tries) return learn_robots(visit, now, {});
  visit.result.disposition.verdict = frontier::Verdict::host_failed;
  visit.result.reason = std::move(reason);
}

class RobotsFetchStep final : public Step {
 public:
  explicit RobotsFetchStep(LaneTools& tools) : tools_(tools) {}
  std::string_view name() const override { return "fetch"; }
  bool waits() const override { return true; }
  void end() override { tools_.fetchers.close_idle(); }
  void report_parts(std::vector<StepPart>& parts) const override { counts_.report(parts); }

  aio::Task<Result<Next>> run_waiting(Visit& visit) override {
    // It leads to where nobody could follow: there is no robots.txt, and everything is allowed.
    if (visit.url() == nullptr || !can_be_fetched(*visit.url())) co_return finish_without(visit);
    fetch::FetchSettings settings = visit.host().fetch;
    if (settings.max_length != 0) settings.max_length = std::max<int64_t>(settings.max_length, kMostRead);
    auto outcome = co_await fetch_hop(tools_, visit, std::move(settings), std::nullopt);
    if (!outcome) co_return without_fetch(visit, outcome.error());
    co_return settle(visit, *std::move(outcome));
  }

 private:
  WallTime now() const { return tools_.loop.clock().wall(); }

  static Next give_back(Visit& visit) {
    visit.give_back();
    return Next::finish();
  }

  Next finish_without(Visit& visit) const {
    learn_robots(visit, now(), {});
    return Next::finish();
  }

  Next unreachable(Visit& visit, const Error& error) const {
    robots_unreachable(visit, now(), error.message);
    return Next::finish();
  }

  // Another host is not to blame, nor is this one.
  Next without_fetch(Visit& visit, const HopFailure& failure) const {
    using Why = HopFailure::Why;
    if (failure.why == Why::stopped) return give_back(visit);
    if (failure.why == Why::denied) return finish_without(visit);
    visit.result.disposition.local_failure = failure.why == Why::busy;
    return unreachable(visit, failure.error);
  }

  Next settle(Visit& visit, fetch::FetchOutcome outcome) {
    if (tools_.has_cut_short(outcome)) return give_back(visit);
    record_fetch(visit, std::move(outcome));
    counts_.add(visit);
    counts_.add(tools_.take_cookies(visit));
    const fetch::FetchOutcome& fetched = *visit.document.outcome;
    frontier::Disposition& disposition = visit.result.disposition;
    if (fetched.no_room) {
      robots_unreachable(visit, now(), fetched.error);
      return Next::finish();
    }
    if (fetched.status == status::kAddressRefused) {
      disposition.touched_host = chain_of(visit).redirects > 0;
      if (visit.url()->hostname() != disposition.lease.host) return finish_without(visit);
      disposition.host_is_hopeless = true;
      return Next::finish();
    }
    if (fetched.status != status::kSevereError) return Next::on();
    disposition.local_failure = true;
    return Next::finish();
  }

  LaneTools& tools_;
  FetchCounts counts_;
};

class RobotsFollowStep final : public Step {
 public:
  explicit RobotsFollowStep(LaneTools& tools) : tools_(tools) {}
  std::string_view name() const override { return "follow"; }
  bool waits() const override { return true; }

  aio::Task<Result<Next>> run_waiting(Visit& visit) override {
    const std::string target = visit.line->redirect;
    RobotsChain& chain = chain_of(visit);
    if (target.empty() || chain.redirects == kRedirects) co_return Next::on();
    ++chain.redirects;
    auto parsed = url::Url::parse(target);
    std::optional<url::Url> next;
    if (parsed) next = *std::move(parsed);
    co_return co_await follow_hop(tools_, visit, std::move(next), 'R');
  }

 private:
  LaneTools& tools_;
};

class RobotsJudgeStep final : public Step {
 public:
  explicit RobotsJudgeStep(LaneTools& tools) : tools_(tools) {}
  std::string_view name() const override { return "robots"; }

  Result<Next> run(Visit& visit) override {
    const WallTime now = tools_.loop.clock().wall();
    const fetch::FetchOutcome& answer = *visit.document.outcome;
    if (!answer.exchange) {
      robots_unreachable(visit, now, answer.error);
    } else if (answer.status >= 500 || answer.status == 429) {
      // Another host to which it led has been told (cost_of).
      const Duration most = visit.host().host->politeness.max_retry_delay;
      if (visit.url()->hostname() == visit.lease().host)
        visit.result.disposition.retry_after = retry_after(answer.exchange->head, now, most);
      robots_unreachable(visit, now, "robots.txt is not to be had now");
    } else if (answer.status < 200 || answer.status >= 300) {
      learn_robots(visit, now, {});
    } else {
      TRY_VOID(read(visit, *answer.exchange, now));
    }
    return Next::on();
  }

 private:
  static Result<void> read(Visit& visit, const http::Exchange& exchange, WallTime now) {
    TRY(const auto body, fetch::decode_body(exchange, kMostRead));
    // Half a file allows what the other half forbids; but no more is ever read than so much.
    const bool is_whole = exchange.truncated == http::Truncated::none && body.complete();
    if (!is_whole && body.bytes().size() < robots::Robots::kMaxText)
      robots_unreachable(visit, now, "robots.txt did not come to its end");
    else
      learn_robots(visit, now, std::string(body.bytes()));
    return {};
  }

  LaneTools& tools_;
};

}  // namespace

std::unique_ptr<Step> make_robots_fetch_step(LaneTools& tools) { return std::make_unique<RobotsFetchStep>(tools); }
std::unique_ptr<Step> make_robots_follow_step(LaneTools& tools) { return std::make_unique<RobotsFollowStep>(tools); }
std::unique_ptr<Step> make_robots_judge_step(LaneTools& tools) { return std::make_unique<RobotsJudgeStep>(tools); }

}  // namespace caddis::visit
