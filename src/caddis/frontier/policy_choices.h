// The policy of a module (modules/policy_module.h) decides where the settings say `module`; where they say anything else,
// order.h does.
//
// Belongs to the frontier's thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "caddis/frontier/candidate.h"
#include "caddis/frontier/order.h"
#include "caddis/frontier/queue.h"
#include "caddis/frontier/settings.h"
#include "caddis/modules/policy_module.h"

namespace caddis::frontier {

class PolicyChoices {
 public:
  // `module`: null if no policy is loaded; then whatever is up to one is as if all were alike.
  explicit PolicyChoices(std::shared_ptr<modules::PolicyModule> module) : module_(std::move(module)) {}

  // The priority class of a URL with that precedence.
  PriorityClass class_of(const OrderSettings& settings, const Candidate& candidate, Precedence precedence) const;
  // The cost of a visit of the URL, taken from its queue's session.
  uint32_t cost_of(const OrderSettings& settings, const Candidate& candidate) const;
  // The precedence of a queue among those that are due; lower ones are served first.
  uint32_t rank_of(const OrderSettings& settings, const Queue& queue) const;
  // The politeness group of a host; empty if it stands alone.
  std::string group_of(const PolitenessSettings& settings, const std::string& host) const;

 private:
  std::shared_ptr<modules::PolicyModule> module_;
};

}  // namespace caddis::frontier
