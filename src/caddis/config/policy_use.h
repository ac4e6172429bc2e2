// Whether settings ask the policy of a module (frontier.policy).
#pragma once

#include <string_view>
#include <utility>

#include "caddis/config/settings.h"

namespace caddis::config {

// Returns the first setting that says `module`, as "frontier.cost"; empty if none does. Sheets are not looked at.
inline std::string_view setting_that_asks_policy(const Settings& settings) {
  const std::pair<std::string_view, bool> asks[] = {
      {"frontier.order", settings.frontier.order == frontier::UrlOrder::module},
      {"frontier.cost", settings.frontier.cost == frontier::CostPolicy::module},
      {"frontier.queues", settings.frontier.queues == frontier::QueueOrderPolicy::module},
      {"politeness.together", settings.politeness.group_assignment == frontier::GroupAssignment::module}};
  for (const auto& [name, asks_module] : asks)
    if (asks_module) return name;
  return {};
}

}  // namespace caddis::config
