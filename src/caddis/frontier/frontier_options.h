// The ingredients of a frontier: the settings of the crawl, and who answers its questions.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "caddis/frontier/again.h"
#include "caddis/frontier/host_claims.h"
#include "caddis/frontier/host_rules.h"
#include "caddis/frontier/identity.h"
#include "caddis/frontier/precedences.h"
#include "caddis/frontier/quota_settings.h"
#include "caddis/frontier/settings.h"
#include "caddis/modules/frontier_module.h"
#include "caddis/modules/policy_module.h"

namespace caddis::frontier {

// Whoever decides over the order besides the settings; null: nobody.
struct OrderSources {
  std::shared_ptr<const Precedences> precedences = nullptr;  // of URLs, beforehand
  std::shared_ptr<modules::PolicyModule> policy = nullptr;
  std::shared_ptr<modules::FrontierModule> module = nullptr;  // null: what is found goes to its queue at once
};

// Whoever knows more of hosts than the frontier does; null: nobody.
struct Outside {
  // Whether one may connect to a host at an address, now: asked of those that were abandoned with status::kAddressRefused.
  std::function<bool(const std::string& host, const std::string& address)> may_connect = nullptr;
  // Hosts that other crawls visit, too. They outlive the frontier.
  HostClaims* claims = nullptr;
};

struct FrontierOptions {
  PolitenessSettings politeness;
  OrderSettings order = {};
  Identity identity;
  std::string user_agent;  // for robots.txt
  bool obey_robots = true;
  bool resolve_names = true;         // HostRules::resolves_names
  size_t hosts_in_memory = 100'000;  // about 1 KB each
  QuotaSettings quota = {};
  Again again = {};
  OrderSources sources = {};
  uint64_t importance_memory = 96 << 20;  // bytes, if the order is by importance
  // From sheets: the rules of each host, asked for whenever it is loaded; what they ask for at most; and the quotas
  // among them, in any words that change with them.
  RulesOfHost rules_of = nullptr;
  RulesSummary reach = {};
  std::string sheet_quotas = {};
  Outside outside = {};

  // The rules of the crawl.
  HostRules rules() const { return {politeness, order, quota, again, obey_robots, user_agent, {}, resolve_names}; }
};

}  // namespace caddis::frontier
