#include "caddis/frontier/host_health.h"

#include <algorithm>
#include <utility>

#include "caddis/base/fetch_status.h"
#include "caddis/frontier/delays.h"

namespace caddis::frontier {
namespace {

// Addresses are the host's; what a connection or robots.txt comes to is the origin's.
FailureState& failures_of(Queue& queue, const Disposition& disposition) {
  return disposition.lease.kind == LeaseKind::dns ? queue.host->failures : queue.failures;
}

// The status of URLs that are abandoned after that.
int abandoned_with(const Disposition& disposition) {
  if (disposition.lease.kind == LeaseKind::dns) return status::kDomainPrerequisiteFailed;
  if (disposition.lease.kind == LeaseKind::robots || disposition.status >= 0) return status::kRobotsPrerequisiteFailed;
  return disposition.status;
}

}  // namespace

bool HostHealth::failed(Queue& queue, const Disposition& disposition) {
  Host& host = *queue.host;
  const PolitenessSettings& settings = rules_.of(host).politeness;
  FailureState& state = failures_of(queue, disposition);
  ++state.failures;
  state.answered = disposition.lease.kind == LeaseKind::robots && disposition.status > 0;
  ++host.addresses.index;
  rows_.mark_dirty(host);
  Duration wait = backoff(settings.host_retry_delay, settings.max_retry_delay, state.failures);
  if (disposition.retry_after) wait = std::max(wait, *disposition.retry_after);
  // Another address of the host may work: it is tried at once.
  if (state.failures < host.addresses.list.size() && !disposition.retry_after) wait = Duration(0);
  if (state.suspended) {
    ++state.probes;
    wait = settings.set_aside;
  } else if (state.failures >= static_cast<uint64_t>(settings.host_failures)) {
    suspend(host, state, true);
    state.probes = 0;
    wait = settings.set_aside;
  }
  if (state.suspended && state.probes >= static_cast<uint64_t>(settings.host_probes)) {
    abandon(host, state, abandoned_with(disposition));
    return true;
  }
  state.retry_at = clock_.wall_in(wait);
  return false;
}

void HostHealth::hopeless(Queue& queue, const Disposition& disposition) {
  const bool is_refused = disposition.status == status::kAddressRefused;
  abandon(*queue.host, failures_of(queue, disposition),
          is_refused ? status::kAddressRefused : status::kDomainPrerequisiteFailed);
}

bool HostHealth::recovered(Host& host, FailureState& state) {
  if (state.failures == 0 && !state.suspended) return false;
  suspend(host, state, false);
  state.failures = state.probes = 0;
  rows_.mark_dirty(host);
  return true;
}

void HostHealth::suspend(Host& host, FailureState& state, bool suspended) {
  if (state.suspended == suspended) return;
  counters_.change(host, [&] { state.suspended = suspended; });
}

void HostHealth::abandon(Host& host, FailureState& state, int status) {
  counters_.change(host, [&] {
    state.suspended = false;
    state.abandoned = status;
  });
  rows_.mark_dirty(host);
}

void HostHealth::reset(Host& host, FailureState& state) {
  recovered(host, state);
  if (state.abandoned != 0) counters_.change(host, [&] { state.abandoned = 0; });
  rows_.mark_dirty(host);
}

bool HostHealth::reset_refused(Host& host) {
  bool found = false;
  const auto hope = [&](FailureState& state) {
    if (state.abandoned != status::kAddressRefused) return;
    reset(host, state);
    found = true;
  };
  hope(host.failures);
  for (const auto& queue : host.queues) hope(queue->failures);
  return found;
}

bool HostHealth::reset_if_connectable(Host& host) {
  if (!has_abandoned() || !may_connect_ || host.addresses.list.empty()) return false;
  return may_connect_(host.name, host.addresses.list.front()) && reset_refused(host);
}

// One that did answer may be back: it has all its probes, at their times.
bool HostHealth::probe_at_once(Host& host) {
  if (host.residence.evicted != 0 || !host.has_work() || host.usage().responses > 0) return false;
  const auto most = static_cast<uint32_t>(rules_.of(host).politeness.host_probes);
  bool probes = last_probe(host.failures, most);
  for (const auto& queue : host.queues)
    if (queue->has_work()) probes |= last_probe(queue->failures, most);
  if (!probes) return false;
  host.pacing.next_allowed = clock_.steady();
  rows_.mark_dirty(host);
  return true;
}

// Whether there is one left.
bool HostHealth::last_probe(FailureState& state, uint32_t most) const {
  if (!state.suspended || state.probes >= most) return false;
  if (state.probes + 1 == most && state.retry_at <= clock_.wall()) return false;
  state.retry_at = clock_.wall();
  state.probes = most - 1;
  return true;
}

bool HostHealth::retry_now(Host& host) {
  const WallTime now = clock_.wall();
  bool found = false;
  const auto try_now = [&](FailureState& state) {
    if (state.failures == 0 || state.retry_at <= now) return;
    state.retry_at = now;
    found = true;
  };
  try_now(host.failures);
  for (const auto& queue : host.queues) try_now(queue->failures);
  if (found) rows_.mark_dirty(host);
  return found;
}

void HostHealth::abandon_all(int status, std::string why) {
  all_ = status;
  why_all_ = std::move(why);
}

std::string HostHealth::reason_of(const Queue& queue) const {
  if (all_ != 0) return why_all_;
  const int status = queue.abandoned();
  if (status == status::kAddressRefused && !queue.host->addresses.list.empty())
    return "refused:" + queue.host->addresses.list.front();
  return status == status::kBlockedByQuota ? "Q:" + std::string(to_string(queue.over.quota)) : std::string();
}

}  // namespace caddis::frontier
