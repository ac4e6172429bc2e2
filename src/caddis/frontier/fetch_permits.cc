#include "caddis/frontier/fetch_permits.h"

#include <algorithm>
#include <utility>

#include "caddis/base/check.h"
#include "caddis/frontier/frontier_parts.h"

namespace caddis::frontier {

Result<FetchAnswer> FetchPermits::acquire(const std::string& name, const std::string& address, uint64_t lease) {
  // Whoever finds a host busy asks again: it stands in no list. Its promise holds a little longer than that takes.
  constexpr Duration kBusy = std::chrono::seconds(1), kOnItsWay = std::chrono::seconds(1);
  const OpenLease* const open = parts_.leases.find(lease);
  FetchAnswer answer;
  TRY_VOID(parts_.residency.visit(name, [&](Host& host) -> Result<void> {
    answer.is_blocked = host.overrides.blocked;
    if (answer.is_blocked) return {};
    FetchNeeds needs;
    needs.address = address;
    needs.held = open == nullptr ? nullptr : &open->permit;
    needs.is_promised = true;
    PermitAnswer permit = parts_.policies.politeness.acquire(host, needs);
    if (permit.kind == PermitAnswer::Kind::granted)
      answer.permit = FetchPermit{name, std::move(permit.permit)};
    else
      answer.ask_again = permit.kind == PermitAnswer::Kind::paused ? permit.until : parts_.clock.steady() + kBusy;
    // Turns alternate: many askers do not keep the host from its own URLs.
    const bool is_promised = !answer.permit && !(host.pacing.was_promised && host.has_work());
    host.pacing.promised_until = is_promised ? answer.ask_again + kOnItsWay : SteadyTime();
    return {};
  }));
  return answer;
}

void FetchPermits::release(const FetchPermit& permit, const FetchCost& cost) {
  Host* const host = parts_.storage.table.find(permit.host);
  CADDIS_CHECK(host != nullptr);
  Politeness& politeness = parts_.policies.politeness;
  FetchCost all = cost;
  for (const auto& queue : host->queues) all.crawl_delay = std::max(all.crawl_delay, queue->robots.crawl_delay);
  politeness.pause(*host, permit.permit, all);
  host->pacing.was_promised = true;
  host->pacing.last_fetch = cost.fetch_time;
  parts_.storage.rows.mark_dirty(*host);
  parts_.scheduler.call(politeness.release(*host, permit.permit));
  parts_.scheduler.pass_on(*host);
  parts_.residency.rotate(*host);
}

}  // namespace caddis::frontier
