#include "caddis/frontier/settlement.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/frontier/delays.h"
#include "caddis/url/public_form.h"

namespace caddis::frontier {

Outcome Settlement::finish(const Disposition& disposition) {
  const OpenLease lease = parts_.leases.take(disposition.lease.id);
  Queue& queue = *lease.queue;
  Host& host = *queue.host;
  Policies& policies = parts_.policies;
  policies.politeness.end_transfer(lease.paid, disposition.bytes);
  if (disposition.touched_host) pause(lease, disposition);
  if (lease.kind == LeaseKind::url) QueueContents::bring_in(queue, lease.place);

  const Settled settled = settle(lease, disposition);
  settle_login(lease, disposition);
  if (settled.host_changed) parts_.scheduler.replan(host);
  if (settled.outcome == Outcome::final) policies.priority.visited(lease.place, disposition);
  if (is_error(disposition))
    host.residence.session += static_cast<uint32_t>(policies.rules.of(host).order.error_penalty);
  policies.quotas.end_visit(lease.domain);
  policies.seed_quotas.end_visit(lease.seed_domain);
  const Usage taken = policies.quotas.count(queue, disposition, settled.outcome);
  policies.seed_quotas.count(disposition, taken);
  parts_.residency.enforce_quotas(host);
  release(lease);
  return settled.outcome;
}

void Settlement::pause(const OpenLease& lease, const Disposition& disposition) {
  Host& host = *lease.queue->host;
  FetchCost cost;
  cost.fetch_time = disposition.fetch_time;
  cost.bytes = disposition.bytes;
  cost.crawl_delay = lease.queue->robots.crawl_delay;
  cost.retry_after = disposition.retry_after;
  cost.may_batch = lease.kind == LeaseKind::url && disposition.verdict == Verdict::settled;
  parts_.policies.politeness.pause(host, lease.permit, cost);
  host.pacing.last_fetch = disposition.fetch_time;
  ++host.finished;
}

void Settlement::release(const OpenLease& lease) {
  Queue& queue = *lease.queue;
  Host& host = *queue.host;
  if (queue.schedule.state == QueueSchedule::State::visiting) queue.schedule.state = QueueSchedule::State::idle;
  --queue.schedule.visits;
  parts_.scheduler.call(parts_.policies.politeness.release(host, lease.permit));
  parts_.scheduler.plan(queue);
  parts_.scheduler.pass_on(host);
  parts_.residency.rotate(host);
}

Settlement::Settled Settlement::settle(const OpenLease& lease, const Disposition& disposition) {
  if (disposition.verdict == Verdict::returned) return {};
  if (lease.kind == LeaseKind::login) return {is_final_login(lease, disposition) ? Outcome::final : Outcome::again};
  return lease.kind == LeaseKind::url ? settle_url(lease, disposition) : settle_prerequisite(*lease.queue, disposition);
}

Settlement::Settled Settlement::settle_prerequisite(Queue& queue, const Disposition& disposition) {
  Host& host = *queue.host;
  HostHealth& health = parts_.policies.health;
  if (disposition.local_failure) {
    host.pacing.wait_at_least(parts_.clock.steady() + parts_.policies.rules.of(host).politeness.host_retry_delay);
    return {};
  }
  if (disposition.addresses) {
    host.addresses = {disposition.addresses->addresses, disposition.addresses->expires, 0};
    parts_.storage.rows.mark_dirty(host);
    if (!disposition.host_is_hopeless) {
      health.recovered(host, host.failures);
      return {Outcome::final};
    }
  }
  if (disposition.robots) {
    accept_robots(queue, disposition);
    return {Outcome::final};
  }
  if (disposition.host_is_hopeless) {
    health.hopeless(queue, disposition);
    return {Outcome::final, true};
  }
  return {health.failed(queue, disposition) ? Outcome::final : Outcome::again, true};
}

// A login that comes to nothing is no fault of the host: its pages are fetched without.
bool Settlement::is_final_login(const OpenLease& lease, const Disposition& disposition) {
  const Duration pause = parts_.policies.rules.of(*lease.queue->host).politeness.host_retry_delay;
  const bool was_given_up = disposition.lease.given_up != 0;
  const LoginOutcome outcome = was_given_up ? LoginOutcome::refused : disposition.login;
  return parts_.logins.end(lease.login, outcome, parts_.clock.steady() + pause);
}

// The table learns how the visits of sessions end, and of logins that were not tried.
void Settlement::settle_login(const OpenLease& lease, const Disposition& disposition) {
  if (lease.login.empty()) return;
  if (lease.kind == LeaseKind::login) {
    if (disposition.verdict == Verdict::returned) parts_.logins.end(lease.login, LoginOutcome::none, {});
    return;
  }
  const uint64_t session = disposition.lease.session;
  if (!disposition.session_ended) {
    if (disposition.verdict == Verdict::settled && disposition.status > 0) parts_.logins.worked(lease.login, session);
    return;
  }
  if (!parts_.logins.ended(lease.login, session)) return;
  parts_.notices.push_back(
      fmt::format("the login for {} comes to nothing: each session has ended before it has shown a "
                  "page; its pages are fetched without",
                  lease.queue->host->name));
}

void Settlement::accept_robots(Queue& queue, const Disposition& disposition) {
  Host& host = *queue.host;
  const RobotsText& robots = *disposition.robots;
  parts_.storage.rows.put_robots(queue, robots.text);
  queue.robots.expire = robots.expires;
  queue.robots.text = nullptr;
  queue.robots.parsed = robots.parsed;
  if (queue.robots.parsed == nullptr)
    queue.robots.parsed = std::make_shared<const robots::Robots>(robots::Robots::parse(robots.text));
  queue.robots.crawl_delay = queue.robots.parsed->crawl_delay(parts_.policies.rules.of(host).user_agent);
  // The delay that robots.txt asks for begins with it.
  const Duration delay = parts_.policies.politeness.delay_after(host, queue.robots.crawl_delay, disposition.fetch_time);
  host.pacing.wait_at_least(parts_.clock.steady() + delay);
  parts_.policies.health.recovered(host, queue.failures);
}

Settlement::Settled Settlement::settle_url(const OpenLease& lease, const Disposition& disposition) {
  Queue& queue = *lease.queue;
  Host& host = *queue.host;
  const HostRules& rules = parts_.policies.rules.of(host);
  QueueContents& contents = parts_.storage.contents;
  if (disposition.verdict == Verdict::retry_url && disposition.session_ended && !disposition.local_failure) {
    const Lease& again = disposition.lease;
    contents.put_back(queue, lease.place, Duration(0), {again.candidate, again.attempt, again.times});
    return {};
  }
  if (disposition.verdict == Verdict::retry_url &&
      (disposition.local_failure || disposition.lease.attempt <= static_cast<uint64_t>(rules.politeness.url_retries))) {
    retry_later(queue, lease.place, disposition);
    return {};
  }
  if (disposition.verdict == Verdict::host_failed) {
    if (!parts_.policies.health.failed(queue, disposition)) return {Outcome::again, true};
    consume(lease, disposition);
    return {Outcome::final, true};
  }
  const bool was_abandoned = disposition.lease.given_up != 0;
  const uint32_t times = disposition.lease.times;
  const auto wait = rules.again.after(disposition.status, times);
  if (wait && !was_abandoned)
    contents.put_back(queue, lease.place, *wait, {disposition.lease.candidate, 1, times + 1});
  else
    consume(lease, disposition);
  observe_page(host, disposition);
  if (!was_abandoned && disposition.touched_host) parts_.policies.health.recovered(host, queue.failures);
  return {Outcome::final};
}

void Settlement::consume(const OpenLease& lease, const Disposition& disposition) {
  parts_.storage.contents.consume(*lease.queue, lease.place);
  parts_.storage.origins.add(disposition.lease.candidate.seed, -1);
}

void Settlement::retry_later(Queue& queue, const UrlPlace& place, const Disposition& disposition) {
  const PolitenessSettings& settings = parts_.policies.rules.of(*queue.host).politeness;
  const Lease& lease = disposition.lease;
  Duration wait = backoff(settings.url_retry_delay, settings.max_retry_delay, lease.attempt);
  if (disposition.retry_after) wait = std::max(wait, *disposition.retry_after);
  parts_.storage.contents.put_back(queue, place, wait, {lease.candidate, lease.attempt + 1, lease.times});
}

void Settlement::observe_page(const Host& host, const Disposition& disposition) {
  using State = TrapDetector::State;
  if (!disposition.sketch) return;
  const std::string& url = disposition.lease.candidate.url;
  const auto state = parts_.policies.admission.traps().observe(url, *disposition.sketch);
  if (!state) return;
  const bool stops =
      *state == State::trap && parts_.policies.rules.of(host).order.stale_patterns == StalePatterns::stop;
  const std::string_view now = *state == State::novel ? "says something new again"
                               : stops                ? "says nothing new, and is not followed any more"
                                                      : "says nothing new, and comes last";
  parts_.notices.push_back(fmt::format("{} (as {}) {}", path_pattern(url), url::public_form(url), now));
}

}  // namespace caddis::frontier
