#include "caddis/visit/hop_fetch.h"

#include <algorithm>
#include <string>
#include <utility>

#include "caddis/frontier/delays.h"
#include "caddis/frontier/politeness.h"
#include "caddis/visit/host_permits.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/retry_after.h"
#include "caddis/visit/signed_fetch.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

std::unexpected<HopFailure> hop_failure(HopFailure::Why why, Error error = {}) {
  return std::unexpected(HopFailure{why, std::move(error)});
}

// The cost of a hop for the host to which it led.
frontier::FetchCost cost_of(LaneTools& tools, Visit& visit, const fetch::FetchOutcome& outcome) {
  frontier::FetchCost cost;
  cost.fetch_time = outcome.took;
  if (!outcome.exchange) return cost;
  cost.bytes = outcome.exchange->response.size();
  if (is_overload(outcome.status))
    cost.retry_after =
        retry_after(outcome.exchange->head, tools.loop.clock().wall(), visit.host().host->politeness.max_retry_delay);
  return cost;
}

// Where to connect for one hop. A proxy finds the address itself.
aio::Task<Result<std::string>> address_of(LaneTools& tools, Visit& visit, std::string host) {
  const frontier::Lease& lease = visit.lease();
  if (host == lease.host) co_return lease.address;
  if (!visit.settings().of_host(host).fetch.proxy.empty()) co_return std::string();
  const auto answer = co_await tools.resolver->resolve(std::move(host));
  if (!answer) co_return std::unexpected(answer.error());
  const std::vector<std::string>& allowed = visit.settings().of_host(answer->host).fetch.allow_addresses;
  const auto open = std::ranges::find_if(answer->addresses, [&](const dns::Address& address) {
    return !tools.context.addresses.refusal({address.text, 0}, allowed);
  });
  // If none is open, the fetch itself is refused, and on record.
  co_return (open == answer->addresses.end() ? answer->addresses.front() : *open).text;
}

}  // namespace

bool can_be_fetched(const url::Url& url) { return url.is_http() && url.effective_port() != 0; }

aio::Task<HopResult> fetch_hop(LaneTools& tools, Visit& visit, fetch::FetchSettings settings,
                               std::optional<fetch::FetchBody> body) {
  using Why = HopFailure::Why;
  const uint64_t lease = visit.lease().id;
  const std::string host(visit.url()->hostname());
  auto address = co_await address_of(tools, visit, host);
  if (tools.is_aborted) co_return hop_failure(Why::stopped);
  if (!address) co_return hop_failure(Why::no_address, std::move(address).error());
  std::optional<uint64_t> permit;
  if (host != visit.lease().host) {
    HostPermits::Wish wish;
    wish.lease = lease;
    wish.host = host;
    wish.address = *address;
    visit.enter("permit");
    auto granted = co_await wait_for_permit(tools, std::move(wish));
    visit.enter("fetch");
    if (!granted && tools.is_aborted) co_return hop_failure(Why::stopped);
    if (!granted) {
      const Why why = granted.error().code == ErrorCode::denied    ? Why::denied
                      : granted.error().code == ErrorCode::timeout ? Why::busy
                                                                   : Why::no_address;
      co_return hop_failure(why, std::move(granted).error());
    }
    permit = *granted;
  }
  fetch::FetchRequest request = tools.request_for(*visit.url(), *std::move(address), visit);
  request.body = std::move(body);
  // Since the lease was made, settings have taken away the proxy that would have found it.
  if (request.address.empty() && request.proxy == nullptr) co_return hop_failure(Why::stopped);
  tools.pulse.enter(lease, "connect");
  tools.pulse.leave_at_next_turn(lease);
  fetch::FetchOutcome outcome = co_await fetch_signed(tools, visit, std::move(request), settings);
  if (permit) tools.context.permits.release(*permit, cost_of(tools, visit, outcome));
  co_return outcome;
}

aio::Task<Result<Next>> follow_hop(LaneTools& tools, Visit& visit, std::optional<url::Url> next, char hop) {
  const Duration took = visit.document.outcome->took;
  visit.follow(std::move(next), hop);
  tools.pulse.leave();
  const Duration wait = frontier::politeness_delay(visit.host().host->politeness, took, std::nullopt);
  co_await tools.pause(wait);
  if (!tools.is_aborted) co_return Next::jump("fetch");
  visit.give_back();
  co_return Next::finish();
}

}  // namespace caddis::visit
