#include "caddis/visit/lane.h"

#include <algorithm>
#include <memory>

#include "caddis/url/public_form.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

// Until all have begun, and have ended.
aio::Task<void> wait_for(const std::deque<frontier::Lease>& to_begin, aio::Nursery& visits, aio::Loop& loop) {
  while (!to_begin.empty()) co_await aio::resume_on(loop);
  co_await visits.join();
}

aio::Task<void> end_all(aio::Task<void> visits, Pipelines& pipelines, dns::Resolver& resolver,
                        std::function<void()> drained) {
  co_await std::move(visits);
  pipelines.end();
  co_await resolver.end();
  drained();
}

}  // namespace

Lane::Lane(unsigned number, LaneParts parts, const VisitContext& context, std::function<void()> has_results)
    : tools_(number, std::move(parts), context), pipelines_(tools_), results_(std::move(has_results)) {}

void Lane::visit(std::vector<frontier::Lease> leases) {
  // Posted functions are copied: the leases travel in a shared box.
  auto box = std::make_shared<std::vector<frontier::Lease>>(std::move(leases));
  tools_.loop.post([this, box] {
    for (frontier::Lease& lease : *box) {
      to_begin_.push_back(std::move(lease));
      tools_.loop.post([this] { begin_next(); });
    }
  });
}

// Each lease has a turn of the loop of its own, so that a visit at which the lane stands still is known by its step.
void Lane::begin_next() {
  frontier::Lease lease = std::move(to_begin_.front());
  to_begin_.pop_front();
  nursery_.spawn(run(std::move(lease)));
}

aio::Task<void> Lane::run(frontier::Lease lease) {
  Visit visit(std::move(lease), tools_.settings_now(), tools_.loop.clock(), tools_.number);
  const uint64_t id = visit.lease().id;
  visit.slots = kept_.restore(visit.lease().candidate.url);
  visits_.emplace(id, &visit);
  if (tools_.is_aborted)
    visit.give_back();
  else if (visit.lease().given_up != 0)
    visit.give_up();
  else if (!visit.is_prerequisite() && visit.url() == nullptr)
    visit.conclude(status::kUnfetchable);
  co_await pipelines_.of(visit.lease().kind).run(visit);
  visits_.erase(id);
  kept_.keep(visit.result.disposition, visit.slots);
  results_.put(std::move(visit.result));
}

void Lane::end(uint64_t lease) {
  tools_.loop.post([this, lease] {
    const auto found = visits_.find(lease);
    if (found != visits_.end()) {
      if (found->second->interrupt()) tools_.fetchers.end(lease);
    } else if (std::ranges::find(to_begin_, lease, &frontier::Lease::id) != to_begin_.end()) {
      end(lease);  // behind the turn in which the visit begins
    }
  });
}

void Lane::list_visits(std::function<void(std::vector<RunningVisit>)> answer) {
  tools_.loop.post([this, answer = std::move(answer)] {
    const SteadyTime now = tools_.loop.clock().steady();
    std::vector<RunningVisit> running;
    for (const auto& [id, visit] : visits_)
      running.push_back({tools_.number, url::public_form(visit->lease().candidate.url), visit->lease().kind,
                         std::string(visit->step()), now - visit->since(), now - visit->began()});
    answer(std::move(running));
  });
}

void Lane::abort() {
  tools_.loop.post([this] {
    tools_.is_aborted = true;
    tools_.fetchers.abort();
  });
}

void Lane::drain(std::function<void()> drained) {
  tools_.loop.post([this, drained = std::move(drained)] {
    drainers_.spawn(end_all(wait_for(to_begin_, nursery_, tools_.loop), pipelines_, *tools_.resolver, drained));
  });
}

}  // namespace caddis::visit
