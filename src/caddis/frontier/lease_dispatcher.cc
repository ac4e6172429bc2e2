#include "caddis/frontier/lease_dispatcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caddis/base/fetch_status.h"
#include "caddis/frontier/order.h"

#include "caddis/url/crawl_schemes.h"

namespace caddis::frontier {
namespace {

// A host that was read from disk has the text of robots.txt alone.
std::shared_ptr<const robots::Robots> parsed_robots(OriginRobots& robots, const HostRules& rules) {
  if (robots.text != nullptr) {
    robots.parsed = std::make_shared<const robots::Robots>(robots::Robots::parse(*robots.text));
    robots.text = nullptr;
    robots.crawl_delay = robots.parsed->crawl_delay(rules.user_agent);
  }
  return robots.parsed;
}

}  // namespace

Result<std::optional<Lease>> LeaseDispatcher::next() {
  TRY_VOID(parts_.residency.load_due());
  if (only_suspended_wait()) TRY_VOID(parts_.residency.probe_suspended());
  if (parts_.policies.politeness.holds_back()) return std::optional<Lease>();
  TRY_VOID(parts_.policies.priority.reprioritize_due(parts_.scheduler));
  while (Queue* const queue = parts_.scheduler.next()) {
    // Other hosts of its group have taken from its quota, too.
    if (parts_.residency.enforce_quotas(*queue->host)) continue;
    const SteadyTime due = queue->schedule.due.first;
    parts_.scheduler.unplan(*queue);
    TRY(std::optional<Judged> judged, judge_by_seed(*queue));
    const bool is_over = judged && !judged->over.empty();
    const LeaseKind kind = is_over ? LeaseKind::url : wanted(*queue);
    if (waits_for_others(*queue, kind, judged && judged->waits)) continue;
    Permit permit;
    const bool connects = kind != LeaseKind::dns && !is_over && parts_.policies.health.status_of(*queue) == 0;
    if (!acquire(*queue, kind, connects, permit)) continue;
    if (kind == LeaseKind::url && !judged) TRY_VOID(parts_.policies.priority.reprioritize(*queue));
    TRY(Lease found, lease(*queue, kind, std::move(judged), std::move(permit)));
    parts_.lateness.add(parts_.clock.steady() - due);
    const HostRules& rules = parts_.policies.rules.of(*queue->host);
    queue->host->residence.session += parts_.policies.rules.choices().cost_of(rules.order, found.candidate);
    if (rules.politeness.visits_per_host > 1 && kind == LeaseKind::url) {
      queue->schedule.state = QueueSchedule::State::idle;
      parts_.scheduler.plan(*queue);
    }
    return std::optional(std::move(found));
  }
  return std::optional<Lease>();
}

std::optional<SteadyTime> LeaseDispatcher::next_due() const {
  const SteadyTime now = parts_.clock.steady();
  std::optional<SteadyTime> due = parts_.scheduler.next_due();
  if (parts_.policies.quotas.is_reviewing()) due = now;
  if (const auto outside = parts_.storage.table.next_due()) {
    if (parts_.policies.health.has_abandoned_all()) return now;
    const SteadyTime when = now + std::max<Duration>(*outside - parts_.clock.wall(), Duration(0));
    if (!due || when < *due) due = when;
  }
  if (due) due = std::max(*due, parts_.policies.politeness.free_at());
  return due;
}

bool LeaseDispatcher::is_empty() const {
  const Totals& totals = parts_.storage.counters.totals();
  return parts_.held.size() == 0 && totals.queued == totals.queued_retired && parts_.leases.size() == 0 &&
         !parts_.policies.quotas.is_reviewing();
}

bool LeaseDispatcher::only_suspended_wait() const {
  const Totals& totals = parts_.storage.counters.totals();
  return parts_.leases.size() == 0 && totals.queued_suspended > 0 &&
         totals.queued - totals.queued_retired == totals.queued_suspended;
}

LeaseKind LeaseDispatcher::wanted(const Queue& queue) const {
  const Host& host = *queue.host;
  if (parts_.policies.health.status_of(queue) != 0) return LeaseKind::url;
  const WallTime now = parts_.clock.wall();
  const HostRules& rules = parts_.policies.rules.of(host);
  const bool has_addresses = host.name != url::kFilesHost;
  if (has_addresses && rules.resolves_names && (host.addresses.list.empty() || host.addresses.expire <= now))
    return LeaseKind::dns;
  if (rules.obey_robots && has_robots(queue.origin) && queue.robots.expire <= now) return LeaseKind::robots;
  const auto need = parts_.logins.need(rules.login, host.name, parts_.clock.steady());
  return need == LoginTable::Need::login ? LeaseKind::login : LeaseKind::url;
}

// The last of a quota may be taken by visits in flight on other hosts: whether they do is known when they end. So is it
// whether a login that is being made holds for this host, too.
bool LeaseDispatcher::waits_for_others(Queue& queue, LeaseKind kind, bool waits_for_seed) {
  constexpr Duration kPause = std::chrono::milliseconds(100);
  if (kind != LeaseKind::url || parts_.policies.health.status_of(queue) != 0) return false;
  const SteadyTime now = parts_.clock.steady();
  const LoginRule& login = parts_.policies.rules.of(*queue.host).login;
  const bool waits_for_login = parts_.logins.need(login, queue.host->name, now) == LoginTable::Need::wait;
  if (!waits_for_seed && !waits_for_login && !parts_.policies.quotas.waits_for_others(*queue.host)) return false;
  parts_.scheduler.wait_until(queue, now + kPause);
  return true;
}

Result<std::optional<LeaseDispatcher::Judged>> LeaseDispatcher::judge_by_seed(Queue& queue) {
  const SeedQuotas& quotas = parts_.policies.seed_quotas;
  if (!quotas.any() || parts_.policies.health.status_of(queue) != 0) return std::optional<Judged>();
  TRY_VOID(parts_.policies.priority.reprioritize(queue));
  TRY(auto front, parts_.storage.contents.front(queue, false));
  TRY(const auto standing, quotas.standing(front.row.candidate, queue.host->name));
  return std::optional(Judged{std::move(front), standing.used_up, standing.waits});
}

bool LeaseDispatcher::acquire(Queue& queue, LeaseKind kind, bool connects, Permit& permit) {
  FetchNeeds needs;
  needs.exclusive = kind != LeaseKind::url;
  needs.connects = connects;
  PermitAnswer answer = parts_.policies.politeness.acquire(*queue.host, needs);
  if (answer.kind != PermitAnswer::Kind::granted) {
    parts_.scheduler.wait_for(queue, answer);
    return false;
  }
  if (needs.connects) queue.host->pacing.was_promised = false;
  ++queue.schedule.visits;
  queue.schedule.state = QueueSchedule::State::visiting;
  permit = std::move(answer.permit);
  return true;
}

Result<Lease> LeaseDispatcher::lease(Queue& queue, LeaseKind kind, std::optional<Judged> judged, Permit permit) {
  const Host& host = *queue.host;
  const HostRules& rules = parts_.policies.rules.of(host);
  Lease lease;
  lease.kind = kind;
  lease.given_up = parts_.policies.health.status_of(queue);
  lease.why = parts_.policies.health.reason_of(queue);
  if (judged && !judged->over.empty()) {
    lease.given_up = status::kBlockedByQuota;
    lease.why = fmt::format("Q:{}", judged->over);
  }
  lease.origin = queue.origin;
  lease.host = host.name;
  lease.partition = host.partition;
  lease.address = permit.address;
  QueueContents::Front front;
  if (judged) {
    front = std::move(judged->front);
  } else {
    TRY(front, parts_.storage.contents.front(queue, lease.given_up != 0));
  }
  UrlPlace& place = front.place;
  if (kind == LeaseKind::url && (!place.priority || rules.politeness.visits_per_host > 1))
    parts_.storage.contents.set_out(queue, place, front.row.candidate);
  lease.candidate = std::move(front.row.candidate);
  lease.attempt = front.row.attempt;
  lease.times = front.row.times;
  if (kind == LeaseKind::url) {
    lease.robots = parsed_robots(queue.robots, rules);
    if (rules.order.stale_patterns != StalePatterns::keep && lease.given_up == 0)
      lease.wants_sketch = parts_.policies.admission.traps().wants_page(lease.candidate.url);
    lease.wants_links = parts_.policies.priority.is_by_importance();
    lease.session = parts_.logins.session(rules.login, host.name);
  } else {
    describe_prerequisite(queue, lease);
  }
  OpenLease open{.queue = &queue, .kind = kind, .place = place, .url = lease.candidate.url};
  if (kind != LeaseKind::dns && lease.given_up == 0) open.paid = parts_.policies.politeness.begin_transfer();
  if (kind == LeaseKind::url && lease.given_up == 0) {
    open.domain = parts_.policies.quotas.begin_visit(host);
    TRY(open.seed_domain, parts_.policies.seed_quotas.begin_visit(lease.candidate, host.name));
  }
  if (kind == LeaseKind::login || lease.session != 0) open.login = rules.login.key;
  if (kind == LeaseKind::login) parts_.logins.begin(open.login);
  open.began = queue.schedule.visit_began = parts_.clock.steady();
  open.permit = std::move(permit);
  lease.id = parts_.leases.add(std::move(open));
  return lease;
}

// A prerequisite has its own URL, via the URL that waits for it.
void LeaseDispatcher::describe_prerequisite(const Queue& queue, Lease& lease) const {
  const Host& host = *queue.host;
  const bool is_dns = lease.kind == LeaseKind::dns;
  lease.times = 0;
  lease.attempt = (is_dns ? host.failures : queue.failures).failures + 1;
  const LoginRule& login = parts_.policies.rules.of(host).login;
  const bool is_login = lease.kind == LeaseKind::login;
  if (is_login) {
    lease.attempt = parts_.logins.failures(login.key) + 1;
    lease.session = parts_.logins.successes(login.key);
  }
  lease.first_lookup = is_dns && host.addresses.expire == WallTime();
  Candidate& candidate = lease.candidate;
  candidate.via = candidate.url;
  candidate.url = is_dns ? "dns:" + host.name : is_login ? login.page : queue.origin + "/robots.txt";
  candidate.hops += 'P';
  candidate.context.clear();
  candidate.is_seed = false;
}

}  // namespace caddis::frontier
