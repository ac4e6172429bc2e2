#include "caddis/visit/lane.h"

#include <memory>

#include "caddis/visit/visit.h"

namespace caddis::visit {

Lane::Lane(unsigned number, LaneParts parts, const VisitContext& context, std::function<void()> has_results)
    : tools_(number, std::move(parts), context), pipelines_(tools_), results_(std::move(has_results)) {}

void Lane::visit(std::vector<frontier::Lease> leases) {
  // Posted functions are copied: the leases travel in a shared box.
  auto box = std::make_shared<std::vector<frontier::Lease>>(std::move(leases));
  tools_.loop.post([this, box] {
    for (frontier::Lease& lease : *box) nursery_.spawn(run(std::move(lease)));
  });
}

aio::Task<void> Lane::run(frontier::Lease lease) {
  Visit visit(std::move(lease), tools_.settings, tools_.loop.clock(), tools_.number);
  const uint64_t id = visit.lease().id;
  visit.slots = kept_.restore(visit.lease().candidate.url);
  visits_.emplace(id, &visit);
  if (tools_.is_aborted)
    visit.give_back();
  else if (visit.lease().given_up != 0)
    visit.give_up();
  else if (!visit.is_prerequisite() && visit.url() == nullptr)
    visit.conclude(fetch::status::kUnfetchable);
  co_await pipelines_.of(visit.lease().kind).run(visit);
  visits_.erase(id);
  kept_.keep(visit.result.disposition, visit.slots);
  results_.put(std::move(visit.result));
}

void Lane::end(uint64_t lease) {
  tools_.loop.post([this, lease] {
    const auto found = visits_.find(lease);
    if (found != visits_.end() && found->second->interrupt()) tools_.client.end(lease);
  });
}

void Lane::abort() {
  tools_.loop.post([this] {
    tools_.is_aborted = true;
    tools_.client.abort();
  });
}

void Lane::drain(std::function<void()> drained) {
  tools_.loop.post([this, drained = std::move(drained)] { drainers_.spawn(wait_and_tell(drained)); });
}

aio::Task<void> Lane::wait_and_tell(std::function<void()> drained) {
  co_await nursery_.join();
  pipelines_.end();
  drained();
}

}  // namespace caddis::visit
