#include "caddis/frontier/policy_choices.h"

#include "caddis/frontier/host.h"
#include "caddis/frontier/module_link.h"

namespace caddis::frontier {

PriorityClass PolicyChoices::class_of(const OrderSettings& settings, const Candidate& candidate,
                                      Precedence precedence) const {
  switch (settings.order) {
    case UrlOrder::module:
      return priority_class(precedence, module_ ? module_->precedence(module_link(candidate)) : 0);
    case UrlOrder::cost:
      return priority_class(precedence, cost_of(settings, candidate));
    default:
      return class_by_order(settings, candidate, precedence);
  }
}

uint32_t PolicyChoices::cost_of(const OrderSettings& settings, const Candidate& candidate) const {
  if (settings.cost == CostPolicy::module) return module_ ? module_->cost(module_link(candidate)) : 1;
  return frontier::cost_of(settings.cost, candidate);
}

uint32_t PolicyChoices::rank_of(const OrderSettings& settings, const Queue& queue) const {
  if (settings.queues != QueueOrderPolicy::module) return frontier::rank_of(settings, queue);
  if (!module_) return 0;
  return module_->queue_precedence(
      {.origin = queue.origin, .host = queue.host->name, .waiting = queue.queued, .finished = queue.finished});
}

std::string PolicyChoices::group_of(const PolitenessSettings& settings, const std::string& host) const {
  if (settings.group_assignment != GroupAssignment::module || !module_) return {};
  return module_->group(host);
}

}  // namespace caddis::frontier
