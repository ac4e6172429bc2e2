// What keeps failing waits longer and longer, is set aside, probed, and given up in the end.

#include <algorithm>
#include <utility>

#include "caddis/frontier/frontier.h"
#include "caddis/frontier/politeness.h"

namespace caddis::frontier {

// Dead hosts may not hold up the end of a crawl: when all that is left to do is on hosts set aside, each that never
// answered gets its last probe now. One that did may be back: it has all its probes, at their times.
Result<void> Frontier::probe_what_was_set_aside() {
  constexpr size_t kAtOnce = 64;
  store_.each([&](Host& host) { last_probes(host); });
  if (!store_.has_room()) return {};
  TRY(const auto hosts, store_.take_in(kForever, kAtOnce));
  for (Host* host : hosts) {
    come_in(*host);
    last_probes(*host);
  }
  return {};
}

void Frontier::last_probes(Host& host) {
  if (host.leaving != 0 || !host.has_work() || host.usage().responses > 0) return;
  const auto most = static_cast<uint32_t>(rules(host).politeness.host_probes);
  bool probes = last_probe(host.trouble, most);
  for (const auto& queue : host.queues)
    if (queue->has_work()) probes |= last_probe(queue->trouble, most);
  if (!probes) return;
  host.next_allowed = clock_.steady();
  store_.mark(host);
  plan_all(host);
}

// Whether there is one left.
bool Frontier::last_probe(Trouble& trouble, uint32_t most) {
  if (!trouble.aside || trouble.probes >= most) return false;
  if (trouble.probes + 1 == most && trouble.retry_at <= clock_.wall()) return false;
  trouble.retry_at = clock_.wall();
  trouble.probes = most - 1;
  return true;
}

void Frontier::recovered(Host& host, Trouble& trouble) {
  if (trouble.failures == 0 && !trouble.aside) return;
  set_aside(host, trouble, false);
  trouble.failures = trouble.probes = 0;
  store_.mark(host);
}

void Frontier::set_aside(Host& host, Trouble& trouble, bool aside) {
  if (trouble.aside == aside) return;
  const uint64_t before = host.queued_aside();
  trouble.aside = aside;
  Totals& totals = store_.totals();
  totals.queued_aside += host.queued_aside() - before;
  totals.hosts_aside += aside ? 1 : -1;
}

// Backs the host or the origin off. True where it is given up: then all its URLs are.
bool Frontier::failed(Queue& queue, const Disposition& disposition) {
  Host& host = *queue.host;
  const PolitenessSettings& settings = rules(host).politeness;
  Trouble& trouble = disposition.lease.kind == LeaseKind::dns ? host.trouble : queue.trouble;
  ++trouble.failures;
  trouble.answered = disposition.lease.kind == LeaseKind::robots && disposition.status > 0;
  ++host.address_index;
  store_.mark(host);
  Duration wait = backoff(settings.host_retry_delay, settings.max_retry_delay, trouble.failures);
  if (disposition.retry_after) wait = std::max(wait, *disposition.retry_after);
  // Another address of the host may work: it is tried at once.
  if (trouble.failures < host.addresses.size() && !disposition.retry_after) wait = Duration(0);
  if (trouble.aside) {
    ++trouble.probes;
    wait = settings.set_aside;
  } else if (trouble.failures >= static_cast<uint64_t>(settings.host_failures)) {
    set_aside(host, trouble, true);
    trouble.probes = 0;
    wait = settings.set_aside;
  }
  if (trouble.aside && trouble.probes >= static_cast<uint64_t>(settings.host_probes)) {
    int status = disposition.status;
    if (disposition.lease.kind == LeaseKind::dns) status = kDomainPrerequisiteFailed;
    if (disposition.lease.kind == LeaseKind::robots || status >= 0) status = kRobotsPrerequisiteFailed;
    give_up(host, trouble, status);
    return true;
  }
  trouble.retry_at = wall_in(wait);
  plan_all(host);
  return false;
}

void Frontier::give_up(Host& host, Trouble& trouble, int status) {
  set_aside(host, trouble, false);
  trouble.given_up = status;
  ++store_.totals().hosts_given_up;
  store_.mark(host);
  plan_all(host);
}

void Frontier::hope_again(Host& host, Trouble& trouble) {
  recovered(host, trouble);
  if (std::exchange(trouble.given_up, 0) != 0) --store_.totals().hosts_given_up;
}

// What was given up since nobody may connect there; whether there was something.
bool Frontier::hope_where_refused(Host& host) {
  bool found = false;
  const auto hope = [&](Trouble& trouble) {
    if (trouble.given_up != kAddressRefused) return;
    hope_again(host, trouble);
    store_.mark(host);
    found = true;
  };
  hope(host.trouble);
  for (const auto& queue : host.queues) hope(queue->trouble);
  return found;
}

bool Frontier::may_connect(const Host& host) const {
  return options_.may_connect && !host.addresses.empty() && options_.may_connect(host.name, host.addresses.front());
}

void Frontier::look_at_refused() {
  if (store_.totals().hosts_given_up == 0) return;
  store_.each([&](Host& host) {
    if (may_connect(host) && hope_where_refused(host)) plan_all(host);
  });
}

Result<void> Frontier::look_up_again(const std::string& name) {
  if (store_.totals().hosts_given_up == 0) return {};
  TRY(Host* const host, host_named(name));
  hope_where_refused(*host);
  if (host->addresses_expire == kRefused) host->addresses_expire = {};
  store_.mark(*host);
  plan_all(*host);
  rest(*host);
  return {};
}

Result<void> Frontier::forget(LeaseKind kind, const std::string& name, const std::string& origin) {
  TRY(Host* const host, host_named(name));
  if (kind == LeaseKind::dns) {
    host->addresses_expire = {};
    hope_again(*host, host->trouble);
  } else if (kind == LeaseKind::robots) {
    Queue& queue = store_.queue_of(*host, origin);
    queue.robots_expire = {};
    hope_again(*host, queue.trouble);
  }
  store_.mark(*host);
  plan_all(*host);
  rest(*host);
  return {};
}

}  // namespace caddis::frontier
